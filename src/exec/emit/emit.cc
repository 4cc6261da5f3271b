#include "exec/emit/emit.h"

#include <type_traits>

#include "exec/emit/emit_processes.h"
#include "exec/emit/emit_rules.h"
#include "exec/emit/emit_template.h"
#include "exec/emit/emit_writer.h"
#include "ir/layout.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A piece of the embedded text: compilers limit the length of one string literal.
constexpr u32 kLiteralBytes = 8192;

// What every checker says of itself.
class TextEmitter {
 public:
  explicit TextEmitter(EmitWriter& out) : out_(out) {}

  void constants(const ir::Program& program, const ModelText& text, const EmitSource& source);

 private:
  void quoted(std::string_view text);
  void string(const char* name, std::string_view text);
  void embedded(const char* name, std::string_view text);

  EmitWriter& out_;
};

void TextEmitter::quoted(std::string_view text) {
  out_.add("\"");
  for (const char c : text) {
    const u8 byte = static_cast<u8>(c);
    if (c == '\n') {
      out_.add("\\n\"\n\"");
    } else if (c == '"' || c == '\\' || c == '?') {
      const char escaped[2] = {'\\', c};
      out_.add({escaped, 2});
    } else if (byte < 32 || byte > 126) {
      out_.format("\\%03o", static_cast<unsigned>(byte));
    } else {
      out_.add({&c, 1});
    }
  }
  out_.add("\"");
}

void TextEmitter::string(const char* name, std::string_view text) {
  out_.format("constexpr char %s[] = ", name);
  quoted(text);
  out_.add(";\n");
}

// A whole file.
void TextEmitter::embedded(const char* name, std::string_view text) {
  out_.format("constexpr char %s[] =\n", name);
  if (text.empty()) out_.add("\"\"");
  for (std::size_t at = 0; at < text.size(); at += kLiteralBytes) {
    quoted(piece_of(text, at, kLiteralBytes));
    out_.add("\n");
  }
  out_.add(";\n");
}

void TextEmitter::constants(const ir::Program& program, const ModelText& text,
                            const EmitSource& source) {
  string("kFile", text.file);
  string("kLanguage", text.language);
  embedded("kText", source.model);
  string("kPropertyForm", source.property_form);
  string("kPropertyName", source.property_name);
  embedded("kProperty", source.property);
  string("kFairness", source.fairness);
  string("kDialect", source.dialect);
  string("kReduce", source.reduce);
  out_.format("constexpr u64 kProgramHash = 0x%llxu;\n", wide(ir::code_hash(program)));
}

bool leaves_steps_out(std::string_view reduce) {
  return reduce == "steps" || reduce == "all" || reduce == "auto";
}

// The skeleton, with the model's code in its places.
template <class Emitter>
Status fill_in(std::string_view rest, const ir::Program& program, const ModelText& text,
               const EmitSource& source, Arena& arena, const EmitSink& sink) {
  EmitWriter out(sink);
  Emitter emitter(program, text, arena, out);
  if constexpr (std::is_same_v<Emitter, ProcessesEmitter>) {
    if (leaves_steps_out(source.reduce)) emitter.be_stepwise();
  }
  static constexpr std::string_view kOpen = "//[[";
  static constexpr std::string_view kEnd = "//[[end]]\n";
  for (std::size_t at = rest.find(kOpen, rest.find("namespace {")); at != std::string_view::npos;
       at = rest.find(kOpen)) {
    out.add(piece_of(rest, 0, at));
    const std::size_t end = rest.find(kEnd, at);
    XMC_CHECK(end != std::string_view::npos);
    if (piece_of(rest, at).starts_with("//[[constants]]")) {
      TextEmitter(out).constants(program, text, source);
      emitter.constants();
    } else {
      emitter.program();
    }
    rest.remove_prefix(end + kEnd.size());
  }
  out.add(rest);
  return out.finish();
}

std::string_view rules_skeleton(const ir::RuleProgram& p) {
  if (p.generates) return {emit_generator_template_text, emit_generator_template_size};
  return {emit_rules_template_text, emit_rules_template_size};
}

// Compiled rules know nothing of what is asked between them.
bool needs_bytecode(const ir::RuleProgram& p) {
  return !p.covers.empty() || !p.assumptions.empty();
}

}  // namespace

Status emit_checker(const ir::Program& program, const ModelText& text, const EmitSource& source,
                    Arena& arena, const EmitSink& sink) {
  if (program.has_rules && needs_bytecode(ir::with_rules(program))) {
    return Status::fail(Code::unsupported,
                        "a model with cover or a global assume cannot be compiled; check it as it "
                        "is");
  }
  // Compiled rules make the steps of the model alone; those of a generator are put together with
  // the automaton's (exec/rules/generator.cc).
  if (program.has_rules && program.property != kNone && !ir::with_rules(program).generates) {
    return Status::fail(Code::unsupported,
                        "a checker of this language cannot have a formula or automaton compiled "
                        "in; build it without, and ask it for that");
  }
  const u64 mark = arena.scratch_mark();
  const Status status = program.has_rules
                            ? fill_in<RulesEmitter>(rules_skeleton(ir::with_rules(program)),
                                                    program, text, source, arena, sink)
                            : fill_in<ProcessesEmitter>({emit_template_text, emit_template_size},
                                                        program, text, source, arena, sink);
  arena.scratch_release(mark);
  return status;
}

}  // namespace xmc
