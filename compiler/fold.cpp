// SPDX-License-Identifier: Apache-2.0
// Folding of layers on the syntax: see fold.h.
#include "compiler/fold.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace hellwig {
namespace {

/// The name under which a declaration is known among those of its kind; "" for what stands once.
std::string keyName(const SyntaxTree& tree, NodeId node) {
  if (tree.kind(node) == NodeKind::ArcsDecl) { // they are those of a kind
    const NodeId type = tree.child(tree.child(node, Role::param), Role::type);
    return valid(type) ? std::string(tree.text(type)) : std::string();
  }
  return tree.kind(node) == NodeKind::VictoryDecl || tree.kind(node) == NodeKind::SequenceDecl ||
                 tree.kind(node) == NodeKind::RulebookDecl || tree.kind(node) == NodeKind::GameDecl
             ? std::string()
             : tree.nameOf(node);
}

/// The parameter types as written: declarations of one name may differ in them.
std::vector<std::string> parameterTypes(const SyntaxTree& tree, NodeId node) {
  std::vector<std::string> types;
  for (NodeId param : tree.children(node, Role::param)) {
    NodeId type = tree.child(param, Role::type);
    types.emplace_back(valid(type) ? std::string(tree.text(type)) : std::string());
  }
  return types;
}

std::string kindWord(NodeKind kind) {
  switch (kind) {
  case NodeKind::ValueDecl: return "value";
  case NodeKind::PermissionDecl: return "permission";
  case NodeKind::ZoneDecl: return "zone";
  case NodeKind::RouteDecl: return "route";
  case NodeKind::ProcedureDecl: return "procedure";
  case NodeKind::TableDecl: return "table";
  case NodeKind::TypeDecl: return "type";
  case NodeKind::TerrainDecl: return "terrain";
  case NodeKind::CounterDecl: return "counter";
  case NodeKind::KindsDecl: return "kinds";
  case NodeKind::GroupDecl: return "group";
  case NodeKind::MapDecl: return "map";
  case NodeKind::ActionDecl: return "action";
  case NodeKind::VictoryDecl: return "victory";
  case NodeKind::SequenceDecl: return "sequence";
  case NodeKind::BoxDecl: return "box";
  case NodeKind::ArcsDecl: return "arcs";
  case NodeKind::RecordDecl: return "record";
  case NodeKind::Phase: return "phase";
  default: return "declaration";
  }
}

NodeKind removedKind(TokenKind op) {
  switch (op) {
  case TokenKind::kw_value: return NodeKind::ValueDecl;
  case TokenKind::kw_permission: return NodeKind::PermissionDecl;
  case TokenKind::kw_zone: return NodeKind::ZoneDecl;
  case TokenKind::kw_route: return NodeKind::RouteDecl;
  case TokenKind::kw_procedure: return NodeKind::ProcedureDecl;
  case TokenKind::kw_action: return NodeKind::ActionDecl;
  case TokenKind::kw_table: return NodeKind::TableDecl;
  default: return NodeKind::Error;
  }
}

class Folder {
public:
  Folder(const Package& package, const Selection& selection, DiagnosticSink& sink)
      : package_(package), sink_(sink) {
    folded_.selection = selection;
  }

  Folded run() {
    addLayer(LayerKind::game, "", gameItems());
    for (const std::string& scenario : scenarioChain())
      addLayer(LayerKind::scenario, scenario, itemsOfScenario(scenario));
    // An option that is declared twice is taken once; that it is was told.
    std::set<std::string> taken;
    for (const OptionInfo& option : package_.options)
      if (std::find(folded_.selection.options.begin(), folded_.selection.options.end(), option.name) !=
              folded_.selection.options.end() &&
          taken.insert(option.name).second)
        addLayer(LayerKind::option, option.name, itemsOfOption(option.name));
    for (std::size_t m = 0; m < package_.mods.size(); ++m)
      addLayer(LayerKind::mod, package_.mods[m], modItems(static_cast<std::uint16_t>(m + 1)));
    chooseMap();
    return std::move(folded_);
  }

private:
  using Items = std::vector<NodeRef>;

  const SyntaxTree& tree(NodeRef ref) const { return package_.files[ref.file].tree; }

  void report(DiagnosticCode code, NodeRef at, std::vector<std::string> arguments) {
    sink_.report(Diagnostic(code, tree(at).sharedSource(), nameRange(at), arguments));
  }
  TextRange nameRange(NodeRef at) const {
    const SyntaxTree& t = tree(at);
    NodeId name = t.child(at.node, Role::name);
    return valid(name) ? t.range(name) : t.opRange(at.node);
  }

  // ---- Which items belong to which layer

  Items topLevel(std::uint16_t owner) const {
    Items items;
    for (std::size_t f = 0; f < package_.files.size(); ++f) {
      if (package_.files[f].owner != owner) continue;
      const SyntaxTree& t = package_.files[f].tree;
      for (NodeId item : t.children(t.root(), Role::item))
        items.push_back({static_cast<std::uint16_t>(f), item});
    }
    return items;
  }
  Items gameItems() const { return topLevel(0); }
  Items modItems(std::uint16_t owner) const { return topLevel(owner); }

  template<class Visit> void eachTopLevel(Visit visit) const {
    for (std::size_t f = 0; f < package_.files.size(); ++f) {
      const SyntaxTree& t = package_.files[f].tree;
      for (NodeId item : t.children(t.root(), Role::item))
        visit(t, NodeRef{static_cast<std::uint16_t>(f), item});
    }
  }
  void appendBody(Items& items, NodeRef decl) const {
    const SyntaxTree& t = tree(decl);
    NodeId body = t.child(decl.node, Role::body);
    if (!valid(body)) return;
    for (NodeId item : t.children(body, Role::item)) items.push_back({decl.file, item});
  }

  NodeRef findScenario(const std::string& name) const {
    NodeRef found;
    eachTopLevel([&](const SyntaxTree& t, NodeRef at) {
      if (t.kind(at.node) == NodeKind::ScenarioDecl && t.nameOf(at.node) == name && !valid(found.node))
        found = at;
    });
    return found;
  }

  /// The scenario chosen and those that it extends, the base first.
  std::vector<std::string> scenarioChain() const {
    std::vector<std::string> chain;
    std::string name = folded_.selection.scenario;
    while (!name.empty() && std::find(chain.begin(), chain.end(), name) == chain.end()) {
      NodeRef at = findScenario(name);
      if (!valid(at.node)) break;
      chain.push_back(name);
      NodeId base = tree(at).child(at.node, Role::base);
      name = valid(base) ? tree(at).nameOf(base) : std::string();
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  Items itemsOfScenario(const std::string& name) const {
    Items items;
    NodeRef at = findScenario(name);
    if (valid(at.node)) appendBody(items, at);
    return items;
  }

  Items itemsOfOption(const std::string& name) const {
    Items items;
    bool found = false;
    auto visit = [&](const SyntaxTree& t, NodeRef at) {
      if (found || t.kind(at.node) != NodeKind::OptionDecl || t.nameOf(at.node) != name) return;
      found = true;
      appendBody(items, at);
    };
    eachTopLevel([&](const SyntaxTree& t, NodeRef at) {
      visit(t, at);
      if (t.kind(at.node) != NodeKind::ScenarioDecl) return;
      Items inner;
      appendBody(inner, at);
      for (NodeRef item : inner) visit(t, item);
    });
    return items;
  }

  // ---- Taking a layer in

  std::int32_t add(FoldedDecl decl) {
    byName_[decl.name].push_back(folded_.decls.size());
    folded_.decls.push_back(std::move(decl));
    return static_cast<std::int32_t>(folded_.decls.size() - 1);
  }
  /// The places of the declarations with a name, whatever their kind.
  const std::vector<std::size_t>& named(const std::string& name) const {
    static const std::vector<std::size_t> nothing;
    auto at = byName_.find(name);
    return at == byName_.end() ? nothing : at->second;
  }

  std::int32_t find(NodeKind kind, const std::string& name, const std::vector<std::string>& types) const {
    std::int32_t only = -1;
    int candidates = 0;
    for (const std::size_t i : named(name)) {
      const FoldedDecl& decl = folded_.decls[i];
      if (!decl.inForce || decl.kind != kind) continue;
      if (parameterTypes(tree(decl.node), decl.node.node) == types) return static_cast<std::int32_t>(i);
      only = static_cast<std::int32_t>(i);
      ++candidates;
    }
    return candidates == 1 ? only : -1;
  }

  void addLayer(LayerKind kind, const std::string& name, Items items) {
    auto layer = static_cast<std::uint16_t>(folded_.layers.size());
    folded_.layers.push_back({kind, name});
    takeIn(items, layer);
  }

  /// The declarations of one layer take part at once: new ones, then replacements, removals, amendments.
  void takeIn(const Items& items, std::uint16_t layer) {
    Items replaces, amends, removes;
    for (NodeRef at : items) {
      switch (tree(at).kind(at.node)) {
      case NodeKind::ReplaceDecl: replaces.push_back(at); break;
      case NodeKind::AmendDecl: amends.push_back(at); break;
      case NodeKind::RemoveDecl: removes.push_back(at); break;
      default: declare(at, layer); break;
      }
    }
    for (NodeRef at : replaces) replace(at, layer);
    for (NodeRef at : removes) remove(at, layer);
    for (NodeRef at : amends) amend(at, layer);
  }

  void declare(NodeRef at, std::uint16_t layer) {
    const SyntaxTree& t = tree(at);
    switch (t.kind(at.node)) {
    case NodeKind::HookDecl: folded_.hooks.push_back({at, layer}); return;
    case NodeKind::SetupDecl: folded_.setups.push_back({at, layer}); return;
    case NodeKind::ArriveDecl: folded_.arrives.push_back({at, layer}); return;
    case NodeKind::LookDecl: folded_.looks.push_back({at, layer}); return;
    case NodeKind::HiddenDecl: folded_.hidden.push_back({at, layer}); return;
    case NodeKind::ForcesDecl: folded_.forces.push_back({at, layer}); return;
    case NodeKind::PlayOn: folded_.playOn = at; return;
    case NodeKind::Options:
    case NodeKind::OptionDecl:
    case NodeKind::ScenarioDecl:
    case NodeKind::TestDecl:
    case NodeKind::ModDecl:
    case NodeKind::Error: return;
    default: break;
    }
    FoldedDecl decl;
    decl.kind = t.kind(at.node);
    decl.name = keyName(t, at.node);
    decl.node = at;
    decl.layer = layer;
    // Things are told apart by name alone; values, permissions and routes also by the kinds of their
    // parameters.
    for (const std::size_t i : named(decl.name)) {
      const FoldedDecl& other = folded_.decls[i];
      if (!other.inForce || other.kind != decl.kind) continue;
      if (decl.kind == NodeKind::StateDecl) continue;
      // An option, scenario or mod lists rules of its own.
      if (decl.kind == NodeKind::RulebookDecl && other.layer != layer) continue;
      bool overloads = decl.kind == NodeKind::ValueDecl || decl.kind == NodeKind::PermissionDecl ||
                       decl.kind == NodeKind::RouteDecl || decl.kind == NodeKind::ArcsDecl;
      if (overloads && parameterTypes(t, at.node) != parameterTypes(tree(other.node), other.node.node))
        continue;
      sink_.report(
          Diagnostic(DiagnosticCode::duplicateName, t.sharedSource(), nameRange(at),
                     {decl.name.empty() ? kindWord(decl.kind) : decl.name})
              .also(tree(other.node).sharedSource(), nameRange(other.node), "it is declared here, too"));
      return;
    }
    add(std::move(decl));
  }

  void replace(NodeRef at, std::uint16_t layer) {
    const SyntaxTree& t = tree(at);
    NodeId item = t.child(at.node, Role::item);
    if (!valid(item)) return;
    const NodeRef ref{at.file, item};
    if (t.kind(item) == NodeKind::Phase) {
      for (const auto* list : {&folded_.phaseReplacements, &folded_.phaseRemovals})
        for (const Piece& other : *list)
          if (tree(other.node).nameOf(other.node.node) == t.nameOf(item)) {
            if (other.layer == layer) return twice(ref, other.node, t.nameOf(item));
            clash(ref, layer, other, t.nameOf(item));
          }
      folded_.phaseReplacements.push_back({ref, layer});
      return;
    }
    if (t.kind(item) == NodeKind::ForcesDecl) {
      std::string side = t.nameOf(item);
      for (const auto* list : {&folded_.forces, &folded_.forceAmendments})
        for (const Piece& other : *list)
          if (tree(other.node).nameOf(other.node.node) == side) clash(ref, layer, other, side);
      std::erase_if(folded_.forces, [&](const Piece& piece) {
        return tree(piece.node).nameOf(piece.node.node) == side && piece.layer < layer;
      });
      folded_.forces.push_back({{at.file, item}, layer});
      return;
    }
    std::string name = keyName(t, item);
    std::int32_t old = find(t.kind(item), name, parameterTypes(t, item));
    if (old < 0) {
      if (!removedByMod(ref, layer, name)) nothingThere(ref, t.kind(item), name);
      return;
    }
    FoldedDecl& before = folded_.decls[static_cast<std::size_t>(old)];
    if (parameterTypes(t, item) != parameterTypes(tree(before.node), before.node.node)) {
      sink_.report(Diagnostic(DiagnosticCode::headDiffers, t.sharedSource(), nameRange(ref),
                              {name, std::string(headOf(before.node))})
                       .also(tree(before.node).sharedSource(), nameRange(before.node), "declared here"));
      return;
    }
    if (before.original >= 0) {
      if (before.layer == layer) return twice(ref, before.node, name);
      clash(ref, layer, {before.node, before.layer}, name);
    }
    for (const Piece& other : before.amendments) clash(ref, layer, other, name);
    if (!before.amendments.empty() && !mentionsOriginal(t, item)) {
      const Piece& other = before.amendments.back();
      sink_.report(Diagnostic(DiagnosticCode::droppedAmendment, t.sharedSource(), nameRange(ref),
                              {name, ownerOf(other.layer)})
                       .also(tree(other.node).sharedSource(), nameRange(other.node), "what is lost"));
    }
    FoldedDecl decl;
    decl.kind = t.kind(item);
    decl.name = name;
    decl.node = ref;
    decl.layer = layer;
    decl.original = old;
    before.inForce = false;
    add(std::move(decl));
  }

  /// `value defense(u: Unit)`, as it is written.
  std::string headOf(NodeRef at) const {
    const SyntaxTree& t = tree(at);
    std::string head = keyName(t, at.node) + "(";
    bool first = true;
    for (NodeId param : t.children(at.node, Role::param)) {
      head += (first ? "" : ", ") + std::string(t.text(param));
      first = false;
    }
    return head + ")";
  }
  static bool mentionsOriginal(const SyntaxTree& t, NodeId node) {
    std::vector<NodeId> open{node};
    while (!open.empty()) {
      NodeId one = open.back();
      open.pop_back();
      if (one != node &&
          (t.kind(one) == NodeKind::NameExpr || t.kind(one) == NodeKind::Call ||
           t.kind(one) == NodeKind::Can) &&
          t.nameOf(one) == "original")
        return true;
      for (NodeId child : t.children(one)) open.push_back(child);
    }
    return false;
  }
  std::string ownerOf(std::uint16_t layer) const {
    const Layer& owner = folded_.layers[layer];
    switch (owner.kind) {
    case LayerKind::game: return "the game";
    case LayerKind::scenario: return "the scenario `" + owner.name + "`";
    case LayerKind::option: return "the option `" + owner.name + "`";
    case LayerKind::mod: return "the mod \"" + owner.name + "\"";
    }
    return {};
  }
  void twice(NodeRef at, NodeRef other, const std::string& name) {
    sink_.report(Diagnostic(DiagnosticCode::duplicateName, tree(at).sharedSource(), nameRange(at), {name})
                     .also(tree(other).sharedSource(), nameRange(other), "it is declared here, too"));
  }
  /// Two mods that take the same thing in hand do not go together.
  bool clash(NodeRef at, std::uint16_t layer, const Piece& other, const std::string& name) {
    if (other.layer == layer || folded_.layers[layer].kind != LayerKind::mod ||
        folded_.layers[other.layer].kind != LayerKind::mod)
      return false;
    sink_.report(Diagnostic(DiagnosticCode::modsClash, tree(at).sharedSource(), nameRange(at),
                            {name, folded_.layers[layer].name, folded_.layers[other.layer].name})
                     .also(tree(other.node).sharedSource(), nameRange(other.node), "the other mod"));
    return true;
  }
  bool removedByMod(NodeRef at, std::uint16_t layer, const std::string& name) {
    for (const Piece& other : folded_.removals)
      if (tree(other.node).nameOf(other.node.node) == name && clash(at, layer, other, name)) return true;
    return false;
  }

  void nothingThere(NodeRef at, NodeKind kind, const std::string& name) {
    std::vector<std::string> known;
    for (const FoldedDecl& decl : folded_.decls)
      if (decl.kind == kind && decl.inForce) known.push_back(decl.name);
    std::string near = nearest(name, known);
    Diagnostic diagnostic(DiagnosticCode::nothingToAmend, tree(at).sharedSource(), nameRange(at),
                          {kindWord(kind), name});
    if (!near.empty()) {
      diagnostic.fix = Fix{nameRange(at), near, "did you mean `" + near + "`?"};
    } else {
      for (const FoldedDecl& decl : folded_.decls)
        if (decl.inForce && decl.kind != kind && decl.name == name) {
          diagnostic.help.push_back("`" + name + "` is declared as a " + kindWord(decl.kind));
          break;
        }
    }
    sink_.report(std::move(diagnostic));
  }

  void remove(NodeRef at, std::uint16_t layer) {
    const SyntaxTree& t = tree(at);
    TokenKind op = t.op(at.node);
    std::string name = t.nameOf(at.node);
    switch (op) {
    case TokenKind::kw_forces: folded_.forceRemovals.push_back({at, layer}); return;
    case TokenKind::kw_arrive: folded_.arriveRemovals.push_back({at, layer}); return;
    case TokenKind::kw_phase:
      for (const Piece& other : folded_.phaseReplacements)
        if (tree(other.node).nameOf(other.node.node) == name) clash(at, layer, other, name);
      folded_.phaseRemovals.push_back({at, layer});
      folded_.removals.push_back({at, layer});
      return;
    default: break;
    }
    NodeKind kind = removedKind(op);
    if (kind == NodeKind::Error) return; // options and scenarios are left out of the package
    bool any = false;
    for (FoldedDecl& decl : folded_.decls)
      if (decl.inForce && decl.kind == kind && decl.name == name) {
        if (decl.original >= 0) clash(at, layer, {decl.node, decl.layer}, name);
        decl.inForce = false;
        any = true;
      }
    if (any)
      folded_.removals.push_back({at, layer});
    else if (!removedByMod(at, layer, name))
      nothingThere(at, kind, name);
  }

  /// One owner amends a thing in one file, so that what comes first is to be seen.
  bool twoFiles(const std::vector<Piece>& amendments, NodeRef at, std::uint16_t layer,
                const std::string& name) {
    for (const Piece& other : amendments) {
      if (other.layer != layer || other.node.file == at.file ||
          keyName(tree(other.node), other.node.node) != keyName(tree(at), at.node))
        continue;
      sink_.report(Diagnostic(DiagnosticCode::twoAmendments, tree(at).sharedSource(), nameRange(at),
                              {name, package_.files[other.node.file].path})
                       .also(tree(other.node).sharedSource(), nameRange(other.node), "the other amendment"));
      return true;
    }
    return false;
  }

  void amend(NodeRef at, std::uint16_t layer) {
    const SyntaxTree& t = tree(at);
    NodeId item = t.child(at.node, Role::item);
    if (!valid(item)) return;
    NodeRef ref{at.file, item};
    NodeKind kind = t.kind(item);
    std::string name = keyName(t, item);
    switch (kind) {
    case NodeKind::ForcesDecl:
    case NodeKind::PhaseAmend:
    case NodeKind::VictoryDecl: {
      auto& list = kind == NodeKind::ForcesDecl   ? folded_.forceAmendments
                   : kind == NodeKind::PhaseAmend ? folded_.phaseAmendments
                                                  : folded_.victoryAmendments;
      if (!twoFiles(list, ref, layer, name.empty() ? "victory" : name)) list.push_back({ref, layer});
      return;
    }
    case NodeKind::ScenarioDecl:
      for (const Layer& other : folded_.layers)
        if (other.kind == LayerKind::scenario && other.name == name) {
          Items items;
          appendBody(items, ref);
          takeIn(items, layer);
          break;
        }
      return;
    default: break;
    }
    std::int32_t target = find(kind, name, parameterTypes(t, item));
    if (target < 0 && kind == NodeKind::ValueDecl && !anyOf(kind, name)) {
      // Every printed field is a value that may be amended, declared or not; the typing knows whether there
      // is such a field.
      FoldedDecl decl;
      decl.kind = kind;
      decl.name = name;
      decl.node = ref;
      decl.layer = 0;
      decl.implicit = true;
      target = add(std::move(decl));
    }
    if (target < 0) {
      nothingThere(ref, kind, name);
      return;
    }
    FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(target)];
    if (!twoFiles(decl.amendments, ref, layer, name)) decl.amendments.push_back({ref, layer});
  }
  bool anyOf(NodeKind kind, const std::string& name) const {
    const std::vector<std::size_t>& places = named(name);
    return std::any_of(places.begin(), places.end(), [&](std::size_t i) {
      return folded_.decls[i].inForce && folded_.decls[i].kind == kind;
    });
  }

  void chooseMap() {
    if (!folded_.selection.map.empty()) {
      folded_.map = folded_.selection.map;
      return;
    }
    if (valid(folded_.playOn.node)) {
      folded_.map = tree(folded_.playOn).nameOf(folded_.playOn.node);
      return;
    }
    std::vector<std::string> maps;
    for (const FoldedDecl& decl : folded_.decls)
      if (decl.kind == NodeKind::MapDecl && decl.inForce) maps.push_back(decl.name);
    if (maps.size() == 1) folded_.map = maps.front();
  }

  const Package& package_;
  DiagnosticSink& sink_;
  std::unordered_map<std::string, std::vector<std::size_t>> byName_; ///< of declarations
  Folded folded_;
};

} // namespace

Folded fold(const Package& package, const Selection& selection, DiagnosticSink& sink) {
  return Folder(package, selection, sink).run();
}

} // namespace hellwig
