"""A DVE syntax tree to something that can be executed: names, static rules, layout, steps.

A state is a flat tuple of integers: global variables, then each buffered channel (length, then
cells), then for every process its local state number and its variables. The property process is
there only when it takes part. Expressions become Python text that is compiled once; the words W, D,
M, X, B, I in it are the functions below.
"""
from dve_syntax import ModelRejected, parse, parse_expression

REPORT, BEEM, STOP = 'report', 'beem', 'stop'


class StepError(Exception):
    """A run-time error of the model: bad index, division by zero, value that does not fit."""


def wrap(x): return ((x + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def divide(a, b):
    if b == 0: raise StepError
    quotient = abs(a) // abs(b)
    return wrap(-quotient if (a < 0) != (b < 0) else quotient)


def modulo(a, b):
    if b == 0: raise StepError
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def check_index(i, size):
    if not 0 <= i < size: raise StepError
    return i


def fit_byte(x):
    if not 0 <= x <= 255: raise StepError
    return x


def fit_int(x):
    if not -32768 <= x <= 32767: raise StepError
    return x


def truncate(wide, x):
    return ((x + 32768) & 65535) - 32768 if wide else x & 255


ENV = {'W': wrap, 'D': divide, 'M': modulo, 'X': check_index, 'B': fit_byte, 'I': fit_int,
       'abs': abs}
COMPARE = {'==', '!=', '<', '<=', '>', '>='}


class Step:
    """A transition ready to run."""

    def __init__(self, process, line):
        self.process, self.line = process, line
        self.guard = self.effect = self.channel = self.mark = None
        self.target, self.sends, self.receives = 0, [], []


class Model:
    def __init__(self, text, use_property=True):
        self.tree = tree = parse(text)
        self.env = dict(ENV)
        self.declare_globals()
        self.check_property_name()
        self.property = self.property_process if use_property else None
        self.lay_out()
        for process in tree.processes: self.check_process(process)
        self.build()

    # -- names
    def declare_globals(self):
        self.globals = {}
        everything = self.tree.variables + self.tree.channels + self.tree.processes
        for thing in sorted(everything, key=lambda t: t.line):
            if thing.name in self.globals:
                raise ModelRejected(thing.line, f'{thing.name} is declared twice')
            self.globals[thing.name] = thing
        for process in self.tree.processes:
            process.names, process.numbers = {}, {}
            for variable in process.variables:
                if variable.name in process.names:
                    raise ModelRejected(variable.line, f'{variable.name} is declared twice')
                process.names[variable.name] = variable
            for number, (name, line) in enumerate(process.states):
                if name in process.names or name in process.numbers:
                    raise ModelRejected(line, f'{name} is declared twice')
                process.numbers[name] = number

    def check_property_name(self):
        self.property_process = None
        if self.tree.property:
            name, line = self.tree.property
            process = self.globals.get(name)
            if process not in self.tree.processes:
                raise ModelRejected(line, f'{name} is not a process')
            self.property_process = process
        self.system_processes = [p for p in self.tree.processes if p is not self.property_process]
        if not self.system_processes:
            raise ModelRejected(self.tree.processes[0].line, 'no process but the property')

    def state_number(self, process, name, line):
        if name not in process.numbers:
            raise ModelRejected(line, f'{process.name} has no state {name}')
        return process.numbers[name]

    def variable(self, scope, name, line):
        thing = scope.names.get(name) if scope else None
        thing = thing or self.globals.get(name)
        if thing is None: raise ModelRejected(line, f'{name} is not declared')
        if not hasattr(thing, 'wide'): raise ModelRejected(line, f'{name} is not a variable')
        return thing

    def channel(self, name, line):
        thing = self.globals.get(name)
        if not hasattr(thing, 'capacity'): raise ModelRejected(line, f'{name} is not a channel')
        return thing

    # -- layout and initial values
    def lay_out(self):
        cells = []
        self.cell_names = []

        def place(variable, prefix, scope):
            values = self.initial_values(variable, scope)
            self.placed.append(variable)
            if variable.const:
                variable.values = values
                if variable.size: self.env[f'K{id(variable)}'] = tuple(values)
                return
            variable.base = len(cells)
            cells.extend(values)
            self.cell_names.extend([prefix + variable.name] if not variable.size else
                                   [f'{prefix}{variable.name}[{i}]' for i in range(variable.size)])

        self.placed = []                      # declared so far: an initialiser sees nothing later
        # variables whose initial values later initialisers may use
        self.ready = []
        for variable in self.tree.variables: place(variable, '', None)
        for channel in self.tree.channels:
            if channel.capacity:
                channel.base = len(cells)
                width = channel.capacity * len(channel.types)
                cells.extend([0] * (1 + width))
                self.cell_names.append(f'#{channel.name}')
                self.cell_names.extend(f'{channel.name}.{i}' for i in range(width))
        for process in self.tree.processes:
            if process.init[0] not in process.numbers:
                raise ModelRejected(process.init[1],
                                    f'{process.name} has no state {process.init[0]}')
            present = process is not self.property_process or self.property is not None
            keep = len(cells), len(self.cell_names)
            process.location = len(cells)
            cells.append(process.numbers[process.init[0]])
            self.cell_names.append(process.name)
            for variable in process.variables: place(variable, process.name + '.', process)
            if not present:
                del cells[keep[0]:], self.cell_names[keep[1]:]
        self.initial = tuple(cells)

    def initial_values(self, variable, scope):
        count = variable.size or 1
        values = [0] * count
        if variable.init is not None:
            listed = variable.init if variable.size else [variable.init]
            for i, expression in enumerate(listed):
                try:
                    value = self.constant(expression, scope)
                    (fit_int if variable.wide else fit_byte)(value)
                except StepError:
                    raise ModelRejected(expression[1], 'initial value is not in range') from None
                if i < count: values[i] = value
            self.ready.append((variable, values))
        return values

    def constant(self, e, scope):
        """Value of an initialiser: constants and variables initialised before."""
        kind, line = e[0], e[1]
        if kind in ('in', 'far'):
            raise ModelRejected(line, 'an initialiser cannot depend on a process')
        if kind == 'num': return e[2]
        if kind in ('var', 'elem'):
            local = scope.names.get(e[2]) if scope else None
            variable = self.variable(scope if local in self.placed else None, e[2], line)
            values = next((v for w, v in self.ready if w is variable), None)
            if values is None: raise ModelRejected(line, f'{e[2]} has no initial value yet')
            if kind == 'elem' and variable.size is None:
                raise ModelRejected(line, f'{e[2]} is not an array')
            if kind == 'var': return values[0]
            return values[check_index(self.constant(e[3], scope), len(values))]
        inner = [('num', line, self.constant(x, scope)) for x in e[3:]] if not (
            kind == 'bin' and e[2] in ('and', 'or', 'imply')) else None
        if inner is not None: return eval(self.code(e[:3] + tuple(inner), scope), dict(ENV))
        left = self.constant(e[3], scope)
        if e[2] == 'and' and not left: return 0
        if e[2] == 'or' and left: return 1
        if e[2] == 'imply' and not left: return 1
        return 1 if self.constant(e[4], scope) else 0

    # -- expressions
    def code(self, e, scope, far=False):
        """Python text of an expression over the state s. far: P->x is allowed."""
        kind, line = e[0], e[1]
        sub = lambda x: self.code(x, scope, far)
        if kind == 'num': return str(e[2])
        if kind == 'var': return self.cell(self.variable(scope, e[2], line), None, line)
        if kind == 'elem': return self.cell(self.variable(scope, e[2], line), sub(e[3]), line)
        if kind == 'in':
            process = self.globals.get(e[2])
            if process not in self.tree.processes:
                raise ModelRejected(line, f'{e[2]} is not a process')
            number = self.state_number(process, e[3], line)
            return f'(1 if s[{process.location}] == {number} else 0)'
        if kind == 'far':
            process = self.globals.get(e[2])
            if process not in self.tree.processes:
                raise ModelRejected(line, f'{e[2]} is not a process')
            if not far:
                raise ModelRejected(line, f'{e[2]}->{e[3]} is for the property process only')
            order = self.tree.processes.index
            if scope is not None and order(process) >= order(scope):
                raise ModelRejected(line, f'{e[2]} is not declared before')
            variable = process.names.get(e[3])
            if variable is None: raise ModelRejected(line, f'{e[2]} has no variable {e[3]}')
            return self.cell(variable, None if e[4] is None else sub(e[4]), line)
        if kind == 'un':
            inner = sub(e[3])
            return {'-': f'W(-({inner}))', '~': f'(~({inner}))',
                    'not': f'(0 if ({inner}) else 1)'}[e[2]]
        operator, left, right = e[2], sub(e[3]), sub(e[4])
        if operator in COMPARE: return f'(1 if ({left}) {operator} ({right}) else 0)'
        if operator in ('and', 'or'): return f'(1 if ({left}) {operator} ({right}) else 0)'
        if operator == 'imply': return f'(1 if not ({left}) or ({right}) else 0)'
        if operator in '+-*': return f'W(({left}) {operator} ({right}))'
        if operator == '/': return f'D({left}, {right})'
        if operator == '%': return f'M({left}, {right})'
        if operator == '<<': return f'W(({left}) << (({right}) & 31))'
        if operator == '>>': return f'(({left}) >> (({right}) & 31))'
        return f'(({left}) {operator} ({right}))'

    def cell(self, variable, index, line):
        if index is not None and variable.size is None:
            raise ModelRejected(line, f'{variable.name} is not an array')
        if variable.const:
            if index is None: return str(variable.values[0])
            return f'K{id(variable)}[X({index}, {variable.size})]'
        if index is None: return f's[{variable.base}]'
        return f's[{variable.base} + X({index}, {variable.size})]'

    def function(self, e, scope, far=False):
        text = self.code(e, scope, far)
        if e[0] == 'num' and e[2]: return None     # always true
        return eval(f'lambda s: {text}', self.env)

    def state_function(self, text):
        """Invariant or goal given from outside: globals, P.q and P->x."""
        return eval('lambda s: ' + self.code(parse_expression(text), None, True), self.env)

    # -- static rules of processes
    def target(self, e, scope):
        """Variable that an assignment or reception stores into."""
        if e[0] not in ('var', 'elem'): raise ModelRejected(e[1], 'a variable is needed here')
        variable = self.variable(scope, e[2], e[1])
        if variable.const: raise ModelRejected(e[1], f'{e[2]} is constant')
        if e[0] == 'elem' and variable.size is None:
            raise ModelRejected(e[1], f'{e[2]} is not an array')
        return variable

    def check_process(self, process):
        for name, line in process.commit + process.accept + [a[0] for a in process.asserts]:
            self.state_number(process, name, line)
        is_property = process is self.property_process
        for t in process.transitions:
            self.state_number(process, *t.source)
            self.state_number(process, *t.target)
            if t.guard is not None: self.code(t.guard, process, is_property)
            if t.channel:
                channel = self.channel(*t.channel)
                if is_property:
                    raise ModelRejected(t.channel[1], 'the property process cannot synchronise')
                count, known = len(t.values), channel.values
                if known is not None and known != count:
                    raise ModelRejected(t.channel[1],
                                        f'{channel.name} carries {known} values elsewhere')
                if channel.types is not None and count not in (0, len(channel.types)):
                    raise ModelRejected(t.channel[1],
                                        f'{channel.name} carries {len(channel.types)} values')
                channel.values = count
                for value in t.values:
                    if t.mark == '?': self.target(value, process)
                    self.code(value, process)
            for target, value in t.effects:
                variable = self.target(target, process)
                if is_property and variable not in process.variables:
                    raise ModelRejected(target[1],
                                        'the property process cannot assign global variables')
                self.code(value, process, is_property)
                self.code(target, process, is_property)

    # -- steps
    def build(self):
        # per system process: (location cell, {state number: [Step]}, committed state numbers)
        self.moves = []
        self.asserts = []    # (location cell, state number, function)
        for process in self.system_processes:
            table = {}
            for t in process.transitions:
                steps = table.setdefault(process.numbers[t.source[0]], [])
                steps.append(self.make_step(process, t))
            self.moves.append((process.location, table,
                               {process.numbers[n] for n, _ in process.commit}))
            for (name, _), e in process.asserts:
                text = self.code(e, process)
                self.asserts.append((process.location, process.numbers[name],
                                     eval('lambda s: ' + text, self.env)))
        for process in [self.property_process] if self.property_process else []:
            for (name, _), e in process.asserts: self.code(e, process, True)
        self.property_moves, self.accepting = {}, set()
        if self.property:
            for t in self.property.transitions:
                number = self.property.numbers[t.source[0]]
                steps = self.property_moves.setdefault(number, [])
                steps.append(self.make_step(self.property, t, True))
            self.accepting = {self.property.numbers[n] for n, _ in self.property.accept}
        error = [0] * len(self.initial)
        first = self.system_processes[0]
        error[first.location] = len(first.states)
        self.error_state = tuple(error)
        self.error_cell, self.error_number = first.location, len(first.states)

    def make_step(self, process, t, far=False):
        step = Step(process, t.line)
        step.target = process.numbers[t.target[0]]
        if t.guard is not None: step.guard = self.function(t.guard, process, far)
        lines = ['def effect(s):']
        for target, value in t.effects:
            variable = self.target(target, process)
            fit = 'I' if variable.wide else 'B'
            if target[0] == 'elem':
                lines += [f' v = {self.code(value, process, far)}',
                          f' i = X({self.code(target[3], process, far)}, {variable.size})',
                          f' s[{variable.base} + i] = {fit}(v)']
            else:
                lines.append(f' s[{variable.base}] = {fit}({self.code(value, process, far)})')
        if t.effects:
            space = {}
            exec('\n'.join(lines), self.env, space)
            step.effect = space['effect']
        if t.channel:
            step.channel, step.mark = self.channel(*t.channel), t.mark
            for e in t.values:
                if t.mark == '!':
                    step.sends.append(eval('lambda s: ' + self.code(e, process), self.env))
                else:
                    variable = self.target(e, process)
                    index = '0'
                    if e[0] == 'elem': index = f'X({self.code(e[3], process)}, {variable.size})'
                    step.receives.append((eval(f'lambda s: {variable.base} + {index}', self.env),
                                          fit_int if variable.wide else fit_byte))
        return step

    @staticmethod
    def guard_holds(step, s):
        """True, False or None for an error."""
        if step.guard is None: return True
        try:
            return bool(step.guard(s))
        except StepError:
            return None

    @staticmethod
    def finish(n, step):
        n[step.process.location] = step.target
        if step.effect: step.effect(n)

    def system_steps(self, s):
        """All steps of the system alone: (new state as a list or None when erroneous, label)."""
        out = []
        committed = any(s[cell] in marks for cell, _, marks in self.moves if marks)
        for cell, table, marks in self.moves:
            number = s[cell]
            if committed and number not in marks: continue
            for t in table.get(number, ()):
                if t.channel is None:
                    holds = self.guard_holds(t, s)
                    if holds is not False: out.append((self.run(s, holds, self.do_local, t), (t,)))
                elif t.channel.capacity:
                    self.buffered(s, t, out)
                elif t.mark == '!':
                    self.rendezvous(s, t, cell, committed, out)
        return out

    def run(self, s, fine, do, *steps):
        if fine is None: return None
        n = list(s)
        try:
            do(s, n, *steps)
        except StepError:
            return None
        return n

    def do_local(self, s, n, t): self.finish(n, t)

    def buffered(self, s, t, out):
        length = s[t.channel.base]
        if length == (t.channel.capacity if t.mark == '!' else 0): return
        holds = self.guard_holds(t, s)
        if holds is False: return
        out.append((self.run(s, holds, self.do_send if t.mark == '!' else self.do_receive, t),
                    (t,)))

    def do_send(self, s, n, t):
        channel = t.channel
        width = len(channel.types)
        at = channel.base + 1 + s[channel.base] * width
        for i, value in enumerate(t.sends): n[at + i] = truncate(channel.types[i], value(s))
        n[channel.base] += 1
        self.finish(n, t)

    def do_receive(self, s, n, t):
        channel = t.channel
        width, first = len(channel.types), channel.base + 1
        for i, (place, fit) in enumerate(t.receives): n[place(s)] = fit(s[first + i])
        last = first + channel.capacity * width
        n[first:last] = list(s[first + width:last]) + [0] * width
        n[channel.base] -= 1
        self.finish(n, t)

    def rendezvous(self, s, t, sender_cell, committed, out):
        holds = self.guard_holds(t, s)
        if holds is False: return
        for cell, table, marks in self.moves:
            if cell == sender_cell or (committed and s[cell] not in marks): continue
            for u in table.get(s[cell], ()):
                if u.channel is not t.channel or u.mark != '?': continue
                ready = self.guard_holds(u, s)
                if ready is False: continue
                fine = True if holds and ready else None
                out.append((self.run(s, fine, self.do_pair, t, u), (t, u)))

    def do_pair(self, s, n, t, u):
        types = t.channel.types
        for i, (value, (place, fit)) in enumerate(zip(t.sends, u.receives)):
            v = value(n)
            if types is not None: v = truncate(types[i], v)
            n[place(s)] = fit(v)
        self.finish(n, u)
        self.finish(n, t)

    def steps(self, s):
        """Steps of the system or product: (has system steps, [(new or None, label)])."""
        plain = self.system_steps(s)
        if not self.property: return bool(plain), plain
        out = []
        moves = []
        for x in self.property_moves.get(s[self.property.location], ()):
            holds = self.guard_holds(x, s)
            if holds is not False: moves.append((x, holds))
        for n, label in plain or [(list(s), ())]:
            for x, holds in moves:
                new = None
                if n is not None and holds:
                    new = list(n)
                    try:
                        self.finish(new, x)
                    except StepError:
                        new = None
                out.append((new, label + (x,)))
        return bool(plain), out

    def assertion_fails(self, s):
        for cell, number, holds in self.asserts:
            if s[cell] == number:
                try:
                    if not holds(s): return True
                except StepError:
                    return True
        return False

    def show(self, s):
        return ' '.join(f'{name}={value}' for name, value in zip(self.cell_names, s))
