"""DVE text to syntax tree: lexer and recursive-descent parser of the oracle.

Written from the language description alone and shares nothing with the product, so that a mistake
in one is not a mistake in the other. Expressions are tuples (kind, line, ...):
  ('num', line, value)            ('var', line, name)              ('elem', line, name, index)
  ('in', line, process, state)    ('far', line, process, name, index or None)
  ('un', line, operator, operand) ('bin', line, operator, left, right)
"""
import re


class ModelRejected(Exception):
    """A static error: the model is not DVE, with the line it was noticed on."""

    def __init__(self, line, message):
        super().__init__(f'line {line}: {message}')
        self.line, self.message = line, message


KEYWORDS = set('''accept and assert async buchi byte channel commit const effect false genbuchi
guard imply init int muller not or process property rabin state streett sync system trans
true'''.split())

TOKEN = re.compile(r'''
  (?P<blank>[ \t\r\n\f\v]+|//[^\n]*|/\*.*?\*/|\\[ \t\r]*\n)
| (?P<open_comment>/\*)
| (?P<number>[0-9]+)
| (?P<name>[A-Za-z_][A-Za-z0-9_$\#]*)
| (?P<mark>->|=>|<<|>>|\|\||&&|<=|>=|==|!=|\+\+|--|[.,;:{}\[\]()?!~=+\-*/%|&^<>])
''', re.VERBOSE | re.DOTALL)

# Low to high, all left-associative (the documented table).
LEVELS = [['imply'], ['or'], ['and'], ['|'], ['^'], ['&'], ['==', '!='],
          ['<', '<=', '>', '>='], ['<<', '>>'],
          ['+', '-'], ['*', '/', '%']]


def tokens(text):
    """List of (kind, text, line); kind is number, name, key, mark or end."""
    out, at, line = [], 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ModelRejected(line, f'unexpected character {text[at]!r}')
        kind, word = match.lastgroup, match.group()
        if kind == 'open_comment':
            raise ModelRejected(line, 'comment is not closed')
        if kind == 'number' and int(word) > 2147483647:
            raise ModelRejected(line, 'number does not fit 32 bits')
        if word == '&&': kind, word = 'name', 'and'
        if word == '||': kind, word = 'name', 'or'
        if kind == 'name' and word in KEYWORDS: kind = 'key'
        if kind != 'blank': out.append((kind, word, line))
        line += match.group().count('\n')
        at = match.end()
    out.append(('end', 'end of file', line))
    return out


class Variable:
    def __init__(self, line, name, wide, size, const, init):
        self.line, self.name, self.wide, self.size, self.const = line, name, wide, size, const
        self.init = init                 # None, an expression, or a list of expressions
        self.base = self.values = None   # filled when the model is laid out


class Channel:
    def __init__(self, line, name, types, capacity):
        # types None: untyped
        self.line, self.name, self.types, self.capacity = line, name, types, capacity
        self.values = None               # values per use, known once all uses were seen
        self.base = None


class Transition:
    def __init__(self):
        self.source = self.target = self.line = self.guard = self.channel = self.mark = None
        self.values, self.effects = [], []   # effects: (target expression, value expression)


class Process:
    def __init__(self, line, name):
        self.line, self.name = line, name
        self.variables, self.states, self.transitions, self.asserts = [], [], [], []
        self.init, self.commit, self.accept = None, [], []


class System:
    def __init__(self):
        self.variables, self.channels, self.processes = [], [], []
        self.property = None             # (name, line) or None


class Parser:
    def __init__(self, text):
        self.list, self.at = tokens(text), 0

    # -- tokens
    def peek(self, ahead=0): return self.list[min(self.at + ahead, len(self.list) - 1)]
    def sees(self, *words): return self.peek()[0] in ('key', 'mark') and self.peek()[1] in words
    def line(self): return self.peek()[2]

    def fail(self, wanted):
        raise ModelRejected(self.line(), f'expected {wanted}, found {self.peek()[1]!r}')

    def take(self, word):
        if not self.sees(word): self.fail(repr(word))
        self.at += 1

    def maybe(self, word):
        if not self.sees(word): return False
        self.at += 1
        return True

    def name(self):
        kind, word, line = self.peek()
        if kind != 'name': self.fail('a name')
        self.at += 1
        return word, line

    def number(self):
        kind, word, _ = self.peek()
        if kind != 'number': self.fail('a number')
        self.at += 1
        return int(word)

    def names(self):
        out = [self.name()]
        while self.maybe(','): out.append(self.name())
        return out

    # -- expressions
    def expression(self, level=0):
        if level == len(LEVELS): return self.unary()
        left = self.expression(level + 1)
        while self.sees(*LEVELS[level]):
            _, operator, line = self.peek()
            self.at += 1
            left = ('bin', line, operator, left, self.expression(level + 1))
        return left

    def unary(self):
        for operator in ('-', '~', 'not'):
            if self.sees(operator):
                line = self.line()
                self.at += 1
                return ('un', line, operator, self.unary())
        return self.primary()

    def primary(self):
        kind, word, line = self.peek()
        if kind == 'number': return ('num', line, self.number())
        if self.maybe('true'): return ('num', line, 1)
        if self.maybe('false'): return ('num', line, 0)
        if self.maybe('('):
            inner = self.expression()
            self.take(')')
            return inner
        if kind != 'name': self.fail('an expression')
        self.at += 1
        if self.maybe('.'): return ('in', line, word, self.name()[0])
        if self.maybe('->'):
            variable = self.name()[0]
            return ('far', line, word, variable, self.index())
        index = self.index()
        return ('var', line, word) if index is None else ('elem', line, word, index)

    def index(self):
        if not self.maybe('['): return None
        inner = self.expression()
        self.take(']')
        return inner

    def braced(self):
        """expr or { expr, ... }, always as a list; and whether it had braces."""
        if not self.maybe('{'): return [self.expression()], False
        out = [self.expression()]
        while self.maybe(','): out.append(self.expression())
        self.take('}')
        return out, True

    # -- declarations
    def array_size(self):
        line, size = self.line(), self.number()
        return line, size

    def declaration(self):
        const = self.maybe('const')
        if not self.sees('byte', 'int'): self.fail("'byte' or 'int'")
        wide = self.peek()[1] == 'int'
        self.at += 1
        out = []
        while True:
            name, line = self.name()
            size = init = None
            if self.maybe('['):
                at, size = self.array_size()
                if size < 1: raise ModelRejected(at, 'array size must be at least 1')
                self.take(']')
            if self.maybe('='):
                at = self.line()
                values, braces = self.braced()
                if braces != (size is not None):
                    what = 'scalar' if size is None else 'array'
                    raise ModelRejected(at, f'initialiser does not suit a {what}')
                init = values if braces else values[0]
            out.append(Variable(line, name, wide, size, const, init))
            if not self.maybe(','): break
        self.take(';')
        return out

    def channels(self):
        self.take('channel')
        if not self.maybe('{'):
            out = [Channel(line, name, None, 0) for name, line in self.names()]
            self.take(';')
            return out
        types = []
        while True:
            if not self.sees('byte', 'int'): self.fail("'byte' or 'int'")
            types.append(self.peek()[1] == 'int')
            self.at += 1
            if not self.maybe(','): break
        self.take('}')
        out = []
        while True:
            name, line = self.name()
            self.take('[')
            out.append(Channel(line, name, types, self.number()))
            self.take(']')
            if not self.maybe(','): break
        self.take(';')
        return out

    # -- processes
    def process(self):
        self.take('process')
        name, line = self.name()
        process = Process(line, name)
        self.take('{')
        while self.sees('byte', 'int', 'const'): process.variables += self.declaration()
        self.take('state')
        process.states = self.names()
        self.take(';')
        self.marks(process)
        if self.maybe('assert'):
            while True:
                state = self.name()
                self.take(':')
                process.asserts.append((state, self.expression()))
                if not self.maybe(','): break
            self.take(';')
        if self.maybe('trans'):
            while True:
                process.transitions.append(self.transition(process))
                if not self.maybe(','): break
            self.take(';')
        self.take('}')
        return process

    def marks(self, process):
        seen = set()
        while self.sees('init', 'commit', 'accept'):
            _, word, line = self.peek()
            if word in seen: raise ModelRejected(line, f'{word} is given twice')
            seen.add(word)
            self.at += 1
            if word == 'init':
                process.init = self.name()
            else:
                if word == 'accept': self.maybe('buchi')
                setattr(process, word, self.names())
            self.take(';')
        if process.init is None: self.fail("'init'")

    def transition(self, process):
        t = Transition()
        t.line = self.line()
        if self.maybe('->'):
            if not process.transitions:
                raise ModelRejected(t.line, 'the first transition needs a source state')
            t.source = process.transitions[-1].source
        else:
            t.source = self.name()
            self.take('->')
        t.target = self.name()
        self.take('{')
        if self.maybe('guard'):
            t.guard = self.expression()
            self.take(';')
        if self.maybe('sync'):
            t.channel = self.name()
            if not self.sees('!', '?'): self.fail("'!' or '?'")
            t.mark = self.peek()[1]
            self.at += 1
            if not self.sees(';'): t.values = self.braced()[0]
            self.take(';')
        if self.maybe('effect'):
            while True:
                name, line = self.name()
                index = self.index()
                target = ('var', line, name) if index is None else ('elem', line, name, index)
                self.take('=')
                t.effects.append((target, self.expression()))
                if not self.maybe(','): break
            self.take(';')
        self.take('}')
        return t

    def system(self):
        system = System()
        while self.sees('byte', 'int', 'const', 'channel'):
            if self.sees('channel'): system.channels += self.channels()
            else: system.variables += self.declaration()
        while self.sees('process'): system.processes.append(self.process())
        if not system.processes: self.fail("'process'")
        self.take('system')
        if self.sees('sync'):
            raise ModelRejected(self.line(), 'synchronous systems are not supported')
        self.take('async')
        if self.maybe('property'): system.property = self.name()
        self.take(';')
        if self.peek()[0] != 'end': self.fail('the end of the file')
        return system


def parse(text): return Parser(text).system()


def parse_expression(text):
    parser = Parser(text)
    out = parser.expression()
    if parser.peek()[0] != 'end': parser.fail('the end of the expression')
    return out
