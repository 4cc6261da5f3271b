"""Makes a failing DVE text smaller: drops and simplifies pieces of it while it still fails."""
import time

from dve_syntax import ModelRejected, tokens

OPEN, CLOSE = '{([', '})]'


def render(words):
    """Tokens to readable text."""
    out, depth, line = [], 0, ''
    for word in words:
        if word == '}': depth -= 1
        glue = line and word not in '.,;)]' and line[-1] not in '.([' and not (word == '['
                and line[-1].isalnum())
        line += (' ' if glue else '') + word
        if word == '{': depth += 1
        if (word in ';{}' and depth < 2) or (word == ',' and depth == 1
                                             and line.rstrip(',').endswith('}')):
            out.append('  ' * max(0, depth - (word == '{')) + line)
            line = ''
    return '\n'.join(out + ([line] if line else [])) + '\n'


def pieces(words, start):
    """Ends of the pieces that begin at start, at the same depth, nearest last."""
    depth, ends = 0, []
    for at in range(start, min(len(words), start + 400)):
        word = words[at]
        if word in OPEN: depth += 1
        if word in CLOSE:
            if depth == 0: break
            depth -= 1
        if depth == 0 and (word in ',;' or word in CLOSE): ends.append(at + 1)
        if depth == 0 and at + 1 < len(words) and words[at + 1] in ',;)]}': ends.append(at + 1)
        if depth == 0: ends.append(at + 1)
    return sorted(set(ends), reverse=True)[-40:]


def shrink(text, fails, seconds=40):
    """fails(text) is True for the given text; returns a small text for which it is True as well."""
    words = [w for kind, w, _ in tokens(text) if kind != 'end']
    end = time.time() + seconds
    if not attempt(words, fails): return text      # depends on the layout: keep it
    changed = True
    while changed and time.time() < end:
        changed, start = False, 0
        while start < len(words) and time.time() < end:
            for stop in pieces(words, start):
                candidates = [words[:start] + words[stop:]]
                if stop - start > 1 and words[start] == '(':
                    candidates.append(words[:start] + ['1'] + words[stop:])
                smaller = next((c for c in candidates if attempt(c, fails)), None)
                if smaller is not None:
                    words, changed = smaller, True
                    break
            else:
                start += 1
    return render(words)


def attempt(words, fails):
    try:
        return fails(render(words))
    except ModelRejected:
        return False
