# SPDX-License-Identifier: MIT
"""C source as tokens: which are in function bodies, and how far an operator's operands extend.

There is no parser. The sources are formatted by clang-format, so that binary operators stand between spaces and unary
ones do not, and functions begin with a brace in the first column. What this takes wrongly for an expression does not
compile, and is dropped then.
"""
import re

TOKEN = re.compile(
    r'(?P<space>\s+|/\*.*?\*/|//[^\n]*)'
    r'|(?P<directive>(?:(?<=\n)|\A)[ \t]*#(?:[^\n\\]|\\.|\\\n)*)'
    r'|(?P<text>"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\')'
    r'|(?P<number>(?:0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)'
    r'|(?P<name>[A-Za-z_]\w*)'
    r'|(?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|[^\s\w])', re.S)

PRECEDENCE = {'*': 10, '/': 10, '%': 10, '+': 9, '-': 9, '<<': 8, '>>': 8, '<': 7, '<=': 7, '>': 7, '>=': 7,
              '==': 6, '!=': 6, '&': 5, '^': 4, '|': 3, '&&': 2, '||': 1}
ASSIGNMENTS = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
OPEN, CLOSE = {'(': ')', '[': ']', '{': '}'}, {')': '(', ']': '[', '}': '{'}
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'case', 'else', 'do', 'goto', 'break', 'continue', 'default'}
# What is written in their brackets is no code that runs, or has to be a constant.
NOT_RUN = re.compile(r'(assert|static_assert|_Static_assert|sizeof|_Alignof|alignof|offsetof|__attribute__)$')


class Token:
    __slots__ = ('kind', 'text', 'start', 'end', 'mate')

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end, self.mate = kind, text, start, start + len(text), None


class Source:
    """One file: its tokens without spaces and preprocessor lines, brackets matched."""

    def __init__(self, text):
        self.text = text
        self.tokens = [Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text)
                       if m.lastgroup not in ('space', 'directive')]
        stack = []
        for i, token in enumerate(self.tokens):
            if token.text in OPEN and token.kind == 'sign':
                stack.append(i)
            elif token.text in CLOSE and token.kind == 'sign' and stack:
                token.mate = stack.pop()
                self.tokens[token.mate].mate = i

    def line_of(self, position):
        return self.text.count('\n', 0, position) + 1

    def line_text(self, position):
        start = self.text.rfind('\n', 0, position) + 1
        end = self.text.find('\n', position)
        return self.text[start:end if end >= 0 else len(self.text)].strip()

    def bodies(self):
        """Pairs of token indices: the braces of each function."""
        for i, token in enumerate(self.tokens):
            if token.text == '{' and token.mate and (token.start == 0 or self.text[token.start - 1] == '\n') \
                    and i > 0 and self.tokens[i - 1].text == ')':
                yield i, token.mate

    def is_binary(self, i):
        token = self.tokens[i]
        return token.text in PRECEDENCE and self.text[token.start - 1].isspace() and self.text[token.end].isspace()

    def left_operand(self, i):
        """Index of the first token of the left operand of the binary operator at i."""
        mine, first, j = PRECEDENCE[self.tokens[i].text], i, i - 1
        while j >= 0:
            token = self.tokens[j]
            if token.text in CLOSE and token.kind == 'sign' and token.text != '}':
                if self.tokens[token.mate - 1].text in ('if', 'for', 'while', 'switch'):
                    break
                first = j = token.mate
            elif token.kind == 'sign' and token.text in OPEN or token.text in (';', ',', '?', ':', '}') \
                    or token.text in ASSIGNMENTS or token.text in KEYWORDS:
                break
            elif self.is_binary(j) and PRECEDENCE[token.text] < mine:
                break
            else:
                first = j
            j -= 1
        return first

    def right_operand(self, i, mine=None):
        """Index behind the last token of the right operand of the operator at i; assignments reach furthest."""
        mine, j = PRECEDENCE.get(self.tokens[i].text, -1) if mine is None else mine, i + 1
        while j < len(self.tokens):
            token = self.tokens[j]
            if token.kind == 'sign' and token.text in OPEN:
                j = token.mate
            elif token.kind == 'sign' and token.text in CLOSE or token.text in (';', ','):
                break
            elif token.text in ('?', ':') and mine >= 0:
                break
            elif self.is_binary(j) and PRECEDENCE[token.text] <= mine:
                break
            j += 1
        return j

    def unary_operand(self, i):
        """Index behind the operand of the prefix operator at i."""
        j = i + 1
        while self.tokens[j].text in ('!', '-', '*', '&', '~') or self.is_cast(j):
            j = self.tokens[j].mate + 1 if self.tokens[j].text == '(' else j + 1
        j = self.tokens[j].mate + 1 if self.tokens[j].text in OPEN else j + 1
        while self.tokens[j].text in ('(', '[', '.', '->'):
            j = self.tokens[j].mate + 1 if self.tokens[j].text in OPEN else j + 2
        return j

    def is_cast(self, i):
        """An opening bracket, a type, and an operand right behind the closing one."""
        token = self.tokens[i]
        if token.text != '(' or token.mate is None:
            return False
        end = self.tokens[token.mate].end
        inside = self.text[token.end:end - 1]
        return bool(re.fullmatch(r'(const )?[A-Za-z_]\w*( \**)?', inside)) and \
            (self.text[end].isalnum() or self.text[end] in '(_*&-!')

    def postfix_start(self, i):
        """Index of the first token of the postfix expression that ends before i."""
        j = i - 1
        while True:
            if self.tokens[j].text in CLOSE:
                j = self.tokens[j].mate - 1
                if self.tokens[j].kind != 'name':
                    return j + 1
            elif self.tokens[j - 1].text in ('.', '->'):
                j -= 2
            else:
                return j

    def hidden(self):
        """Indices of tokens that must stay: array sizes, labels, what is asserted, statics."""
        out = set()
        for i, token in enumerate(self.tokens):
            if NOT_RUN.match(token.text) and i + 1 < len(self.tokens):
                following = self.tokens[i + 1]
                out.update(range(i, following.mate + 1 if following.text == '(' else i + 3))
            elif token.text == '[' and token.mate and self.declares_array(i):
                out.update(range(i, token.mate + 1))
            elif token.text == 'case':
                out.update(range(i, self.find(i, ':')))
            elif token.text == 'static' and token.start > 0 and self.text[token.start - 1] == ' ':
                out.update(range(i, self.find(i, ';')))
            elif token.text.startswith('_mm') and self.tokens[i + 1].text == '(':
                out.update(range(i, self.tokens[i + 1].mate + 1))
        return out

    def find(self, i, text):
        while i < len(self.tokens) and self.tokens[i].text != text:
            i += 1
        return i

    def declares_array(self, i):
        before = self.tokens[i - 1]
        if before.text == ']':
            return self.declares_array(before.mate)
        if before.kind != 'name':
            return False
        two = self.tokens[i - 2]
        if two.kind == 'name' and two.text not in KEYWORDS or \
                two.text == '*' and not self.is_binary(i - 2) and self.tokens[i - 3].kind == 'name':
            return True
        if two.text != ',':
            return False
        j = i - 2
        while j >= 0 and self.tokens[j].text not in (';', '{', '}', '(', '['):
            j = self.tokens[j].mate - 1 if self.tokens[j].text in CLOSE else j - 1
        return self.tokens[j].text in (';', '{', '}') and self.tokens[j + 1].kind == 'name' and \
            self.tokens[j + 2].kind == 'name'
