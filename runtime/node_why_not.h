// SPDX-License-Identifier: Apache-2.0
// What explains that a hex is out of reach, for routes whose nodes are several fields.
#pragma once

#include "runtime/node_query.h"

namespace hellwig {

/// The first thing in the way to hex `to` (language design, section 13, "Why not").
Explanation whyNotNodes(MachineCore& core, const Way& way, std::int32_t to);
/// What to say where no edges lead to a hex at all.
std::string noWayLeads(const Module& module, const Route& route);
/// An edge in words: "0503", "turn ne", "Change formation line".
std::string edgeName(MachineCore& core, const Route& route, const NodeEdge& edge);
std::string hexName(MachineCore& core, Word hex);

} // namespace hellwig
