type t: 0..010; r: record f: boolean end
var x: t y: boolean q, k: r
function f(a: t b: t): t begin return a & b | 0x3 ^ ~a << 2 >> 1; end
startstate “s” begin x ≔ 0 × 2; f(x, 1); end
rule ∀ i: t do x ≤ i ∧ y end ⇒ begin if q = k then clear q end; for i := 0 to 3 by x do end; end
ruleset j: 0..0 * f(1, 2) do rule "a\"b" switch x case x, 1: end; end end
