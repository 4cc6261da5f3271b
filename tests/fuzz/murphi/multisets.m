type s: scalarset(3); m: record f: 0..1; t: s; end;
var net: multiset [2] of m; o: array [s] of multiset [1] of 0..1;
startstate begin undefine net; for k: s do undefine o[k]; end; end;
ruleset v: 0..1; k: s do rule "add" multisetcount(i: net, net[i].f = v) < 2 ==> var z: m;
begin z.f := v; z.t := k; multisetadd(z, net); multisetadd(v, o[k]); end; end;
ruleset k: s do choose i: o[k] do rule o[k][i] = 1 ==> begin multisetremove(i, o[k]); end; end; end;
choose i: net do alias q: net[i] do rule q.f = 1 ==> begin multisetremove(i, net); end; end; end;
rule begin multisetremovepred(i: net, net[i].f = 0); end;
