# SPDX-License-Identifier: MIT
"""What may be changed in a file, and the file with chosen changes compiled in (see mutant.h).

A site is a piece of text, such as an operator with its operands; each of its mutants computes it in another way. Operands are
evaluated once, whichever mutant is selected, and the lines stay where they were.
"""
import re

from mutation.source import CLOSE, Source

BINARY = {'<': ('<=', '>='), '<=': ('<', '>'), '>': ('>=', '<='), '>=': ('>', '<'), '==': ('!=',), '!=': ('==',),
          '+': ('-',), '-': ('+',), '*': ('+',), '/': ('*',), '%': ('+',), '&': ('|',), '|': ('&',), '^': ('|',),
          '<<': ('>>',), '>>': ('<<',)}
ASSIGN = {'+=': '-=', '-=': '+=', '*=': '+=', '/=': '*=', '|=': '&=', '&=': '|=', '^=': '|=', '<<=': '>>=', '>>=': '<<='}
STEP = {'++': '--', '--': '++'}
# Functions that are operators: those on lanes, and bounds.
CALLS = [('min', 'max'), ('smaller', 'larger'), ('lower', 'upper'), ('add', 'sub'), ('mul_add', 'mul_sub'), ('and', 'or'),
         ('down', 'up'), ('below', 'above'), ('le', 'lt'), ('ge', 'gt'), ('lowest', 'highest')]
CALL_WORDS = {a: b for pair in CALLS for a, b in (pair, pair[::-1])}
CALL = re.compile(r'([A-Za-z0-9]\w*?_)?(mul_add|mul_sub|min|max|add|sub|and|or|down|up|le|lt|ge|gt|smaller|larger)$')


class Mutant:
    """One change: a site of a file, what was there and what stands there instead."""

    def __init__(self, file, site, old, new, how):
        self.file, self.site, self.old, self.new, self.how = file, site, old, new, how
        self.number = 0
        self.killer = '' # the test case that noticed it in an earlier run, if any
        self.line, self.function, self.text, self.nth = 0, '', '', 0

    def key(self):
        """The same for the same change after other lines have moved."""
        nth = f' [{self.nth}]' if self.nth else ''
        return f'{self.file}: {self.function}: {self.text} : {self.old}{nth} => {self.new}'


class Site:
    def __init__(self, kind, start, end, parts=(), lines=0):
        self.kind, self.start, self.end, self.parts, self.lines = kind, start, end, list(parts), lines
        self.inner = []


class Constants:
    """Names of numbers: those of #define, and of enumerations without a name."""

    def __init__(self, texts):
        self.floats, self.integers, self.functions = set(), set(), set()
        for text in texts:
            for name, value in re.findall(r'^#define (\w+) (.+)$', text, re.M):
                if re.match(r'\(?[-0-9.]', value) and re.search(r'0x1p|\d\.\d', value):
                    self.floats.add(name)
                elif re.match(r'\d+\b', value):
                    self.integers.add(name)
            for body in re.findall(r'^enum\n\{(.*?)^\}', text, re.M | re.S):
                self.integers.update(re.findall(r'^\s*(\w+) = [-(\w]', body, re.M))
            self.functions.update(re.findall(r'\b([a-z]\w*)\(', text))


def number_changes(text):
    if re.search(r'[.pP]', text) and not re.fullmatch(r'0[xX][0-9a-fA-F]+[uUlL]*', text):
        if re.fullmatch(r'0\.?0*f?', text):
            return []
        suffix = 'f' if text.endswith('f') else ''
        return [(f'0.5 x {text}', f'0.5{suffix} * {text}'), (f'0.1 x {text}', f'0.1{suffix} * {text}'),
                ('0', f'0.0{suffix}')]
    return [(f'{text} + 1', f'{text} + 1'), (f'{text} - 1', f'{text} - 1')]


def name_changes(name, constants):
    if name in constants.floats:
        return [(f'0.5 x {name}', f'0.5f * {name}'), (f'0.1 x {name}', f'0.1f * {name}'), ('0', f'0 * {name}')]
    if name in constants.integers:
        return [(f'{name} + 1', f'{name} + 1'), (f'{name} - 1', f'{name} - 1')]
    if name in ('true', 'false'):
        return [('false' if name == 'true' else 'true', 'false' if name == 'true' else 'true')]
    return []


class Finder:
    """All mutants of one file."""

    def __init__(self, file, text, constants):
        self.file, self.source, self.constants = file, Source(text), constants
        self.mutants, self.function, self.twins = [], '', {}

    def add(self, site, position, old, changes):
        for name, how in changes:
            mutant = Mutant(self.file, site, old, name, how)
            mutant.line, mutant.text = self.source.line_of(position), self.source.line_text(position)
            mutant.function = self.function
            key = mutant.key()
            mutant.nth = self.twins[key] = self.twins.get(key, -1) + 1
            self.mutants.append(mutant)

    def find(self):
        hidden = self.source.hidden()
        for first, last in self.source.bodies():
            self.function = self.source.tokens[self.source.tokens[first - 1].mate - 1].text
            for i in range(first + 1, last):
                if i not in hidden:
                    self.at(i)
        return self.mutants

    def span(self, first, behind):
        return self.source.tokens[first].start, self.source.tokens[behind - 1].end

    def at(self, i):
        s, token = self.source, self.source.tokens[i]
        if token.kind == 'sign' and s.is_binary(i):
            self.binary(i)
        elif token.kind == 'sign' and token.text in ASSIGN:
            j = i - 1
            while s.tokens[j].text not in (';', '{', '}', ',', '(', 'else') and not self.ends_head(j):
                j = s.tokens[j].mate - 1 if s.tokens[j].text in CLOSE else j - 1
            left, right = self.span(j + 1, i), self.span(i + 1, s.right_operand(i))
            lines = s.text.count('\n', left[1], right[0])
            self.add(Site('assign', left[0], right[1], [left, right], lines), token.start, token.text,
                     [(ASSIGN[token.text], ASSIGN[token.text])])
        elif token.text in STEP:
            self.step(i)
        elif token.text in ('!', '-') and token.kind == 'sign' and not s.text[token.end].isspace():
            operand = self.span(i + 1, s.unary_operand(i))
            self.add(Site('unary', token.start, operand[1], [operand]), token.start, token.text, [('', token.text)])
        elif token.kind == 'number':
            self.add(Site('choose', token.start, token.end), token.start, token.text, number_changes(token.text))
        elif token.kind == 'name':
            self.name(i)

    def ends_head(self, j):
        token = self.source.tokens[j]
        return token.text == ')' and self.source.tokens[token.mate - 1].text in ('if', 'for', 'while', 'switch')

    def binary(self, i):
        s, token = self.source, self.source.tokens[i]
        left, right = self.span(s.left_operand(i), i), self.span(i + 1, s.right_operand(i))
        site = Site(token.text, left[0], right[1], [left, right], s.text.count('\n', left[1], right[0]))
        if token.text in ('&&', '||'):
            other = '||' if token.text == '&&' else '&&'
            self.add(site, token.start, token.text, [(other, 'swap'), ('left side', 'left'), ('right side', 'right')])
        else:
            self.add(site, token.start, token.text, [(op, op) for op in BINARY[token.text]])

    def step(self, i):
        s, token = self.source, self.source.tokens[i]
        if s.tokens[i - 1].kind == 'name' or s.tokens[i - 1].text in (')', ']'):
            operand = self.span(s.postfix_start(i), i)
            site = Site('after', operand[0], token.end, [operand])
        else:
            operand = self.span(i + 1, s.unary_operand(i))
            site = Site('before', token.start, operand[1], [operand])
        self.add(site, token.start, token.text, [(STEP[token.text], STEP[token.text])])

    def name(self, i):
        s, token = self.source, self.source.tokens[i]
        following, before = s.tokens[i + 1].text, s.tokens[i - 1].text
        if token.text in ('return', 'continue', 'break') and self.ends_head(i - 1):
            end = s.tokens[s.find(i, ';')].end
            self.add(Site('drop', token.start, end, [(token.start, end)]), token.start, s.text[token.start:end],
                     [('nothing', '')])
        elif following == '(' and before not in ('.', '->'):
            match = None if token.text.isupper() else CALL.match(token.text)
            other = match and (match.group(1) or '') + CALL_WORDS[match.group(2)]
            if match and other in self.constants.functions | {'fmin', 'fmax'}:
                self.add(Site('choose', token.start, token.end), token.start, token.text, [(other, other)])
        elif before not in ('.', '->'):
            self.add(Site('choose', token.start, token.end), token.start, token.text,
                     name_changes(token.text, self.constants))


def nest(sites):
    """Sites inside of sites; those that overlap another in part are left out."""
    top, stack = [], []
    for site in sorted(sites, key=lambda s: (s.start, -s.end)):
        site.inner = []
        while stack and stack[-1].end <= site.start:
            stack.pop()
        if stack and (site.end > stack[-1].end or not stack[-1].parts or
                      not any(a <= site.start and site.end <= b for a, b in stack[-1].parts)):
            site.lost = True
            continue
        site.lost = False
        (stack[-1].inner if stack else top).append(site)
        stack.append(site)
    return top


def render(text, start, end, sites):
    out, at = [], start
    for site in sites:
        if start <= site.start and site.end <= end:
            out += [text[at:site.start], expression(text, site)]
            at = site.end
    return ''.join(out) + text[at:end]


def expression(text, site):
    """The site's text with its mutants compiled in."""
    parts = [render(text, a, b, site.inner) for a, b in site.parts]
    chosen, lines = site.chosen, '\n' * site.lines
    n = chosen[0].number
    if site.kind == 'choose':
        old = text[site.start:site.end]
        tests = ''.join(f'MUTANT_AT({m.number}) ? ({m.how}) : ' for m in chosen)
        return f'({tests}({old}))'
    if site.kind == 'assign':
        op = chosen[0].old
        if '\n' not in parts[0] + parts[1]:
            return f'(MUTANT_AT({n}) ? ({parts[0]} {chosen[0].how} {lines}{parts[1]}) : ({parts[0]} {op} {parts[1]}))'
        if '\n' not in parts[0]: # what is assigned is written once, so that lines stay where they were
            return f'({{__auto_type r{n} = {lines}({parts[1]}); MUTANT_AT({n}) ? ({parts[0]} {chosen[0].how} r{n}) : ' \
                   f'({parts[0]} {op} r{n});}})'
        return text[site.start:site.end]
    if site.kind == 'after':
        return f'(MUTANT_AT({n}) ? ({parts[0]}){chosen[0].how} : ({parts[0]}){chosen[0].old})'
    if site.kind == 'before':
        return f'(MUTANT_AT({n}) ? {chosen[0].how}({parts[0]}) : {chosen[0].old}({parts[0]}))'
    if site.kind == 'unary' and chosen[0].how == '!':
        return f'(!({parts[0]}) != MUTANT_AT({n}))'
    if site.kind == 'unary':
        return f'({{__auto_type u{n} = ({parts[0]}); MUTANT_AT({n}) ? u{n} : -u{n};}})'
    if site.kind == 'drop':
        return f'{{if (!MUTANT_AT({n})) {parts[0]}}}'
    if site.kind in ('&&', '||'):
        return boolean(site, parts, lines)
    a, b, o, op = f'a{n}', f'b{n}', f'o{n}', site.kind
    saw = ''.join(f'MUTANT_SAW({m.number}, {o} != ({a} {m.how} {b})); ' for m in chosen)
    tests = ''.join(f'MUTANT_IS({m.number}) ? ({a} {m.how} {b}) : ' for m in chosen)
    return f'({{__auto_type {a} = ({parts[0]}); {lines}__auto_type {b} = ({parts[1]}); ' \
           f'__auto_type {o} = {a} {op} {b}; {saw}{tests}{o};}})'


def boolean(site, parts, lines):
    """The right side is evaluated where the left one leaves it open: a != stop, with stop = 0 for && and 1 for ||."""
    n, stop = site.chosen[0].number, int(site.kind == '||')
    of = {m.how: m.number for m in site.chosen}
    text = f'({{_Bool a{n} = ({parts[0]}), s{n} = {stop}; '
    if 'swap' in of:
        text += f's{n} ^= MUTANT_AT({of["swap"]}); '
    if 'right' in of:
        text += f'MUTANT_SAW({of["right"]}, a{n} == {stop}); if (MUTANT_IS({of["right"]})) a{n} = {1 - stop}; '
    if 'left' in of:
        text += f'MUTANT_SAW({of["left"]}, a{n} != {stop}); '
        return text + f'{lines}MUTANT_IS({of["left"]}) ? a{n} : a{n} != s{n} ? (_Bool)({parts[1]}) : s{n};}})'
    return text + f'{lines}a{n} != s{n} ? (_Bool)({parts[1]}) : s{n};}})'


def compiled_in(text, mutants):
    """The file's text with these mutants; those that could not be written down get number 0."""
    sites = {}
    for mutant in mutants:
        sites.setdefault(id(mutant.site), mutant.site).chosen = []
    for mutant in mutants:
        mutant.site.chosen.append(mutant)
    top = nest(list(sites.values()))
    for mutant in mutants:
        if mutant.site.lost:
            mutant.number = 0
    return render(text, 0, len(text), top)
