# SPDX-License-Identifier: MIT
"""Results of a run: kept in a file so that a run can be resumed, and told as a table.

The file is small enough to be committed: mutants that were killed are a mark of ten digits each, by source and by the test
that noticed them; the others are written out.
"""
import hashlib
import json
import os

KILLED = ('killed', 'timed out')


def mark(key):
    return hashlib.sha1(key.encode()).hexdigest()[:10]


def load(path):
    """Results by mark: file, verdict, by (a test case), and key for those that were not killed."""
    with open(path, encoding='utf-8') as file:
        stored = json.load(file)
    out = {}
    for verdict in KILLED:
        for source, tests in stored[verdict].items():
            for by, marks in tests.items():
                out.update({m: {'file': source, 'verdict': verdict, 'by': by} for m in marks})
    for key, left in stored['left'].items():
        out[mark(key)] = {'file': key.split(':')[0], 'key': key, 'by': '', **left}
    return out


def save(path, about, results):
    stored = {**about, 'killed': {}, 'timed out': {}, 'left': {}}
    for name, r in sorted(results.items()):
        if r['verdict'] in KILLED:
            stored[r['verdict']].setdefault(r['file'], {}).setdefault(r['by'], []).append(name)
        else:
            stored['left'][r['key']] = {k: r[k] for k in ('verdict', 'patience') if k in r}
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + '.part', 'w', encoding='utf-8') as file:
        json.dump(stored, file, indent=0, sort_keys=True)
        file.write('\n')
    os.replace(path + '.part', path)


def explained(path):
    """From the files of a folder, reasons by key: why a survivor changes no answer. Each key is followed by a line with
    the reason, indented. A key that ends in ": *" speaks of all mutants of a function, or of a file."""
    out, keys = {}, []
    for name in sorted(os.listdir(path)):
        with open(os.path.join(path, name), encoding='utf-8') as file:
            for line in file:
                if line.startswith('src/'):
                    keys.append(line.strip())
                elif line.startswith('    '):
                    out.update({key: line.strip() for key in keys})
                    keys = []
    return out


def reason_for(key, reasons):
    """Why a survivor changes no answer, or None."""
    file, function = key.split(': ')[:2]
    return reasons.get(key.strip()) or reasons.get(f'{file}: {function}: *') or reasons.get(f'{file}: *')


def report(results, reasons, decides):
    """Prints a table by file and the survivors; returns the share of mutants in deciding files that are killed, of those
    that are not explained."""
    table, survivors = {}, []
    for result in results.values():
        row = table.setdefault(result['file'], [0, 0, 0])
        if result['verdict'] in KILLED:
            row[0] += 1
        elif reason_for(result['key'], reasons):
            row[1] += 1
        else:
            row[2] += 1
            survivors.append(f'{result["verdict"]}: {result["key"]}')
    print(f'{"file":34} killed  explained  survived')
    for file, (killed, known, left) in sorted(table.items()):
        print(f'{file:34} {killed:6} {known:10} {left:9}{"" if decides(file) else "   (steers)"}')
    share = 1.0
    for title, files in (('all files', list(table)), ('files that decide', [f for f in table if decides(f)])):
        killed, known, left = (sum(table[f][i] for f in files) for i in range(3))
        share = killed / max(1, killed + left)
        print(f'{title}: {killed + known + left} mutants, {killed} killed, {known} explained, {left} survived: '
              f'{100 * share:.1f} % of those not explained are killed')
    print('\n'.join(sorted(survivors)))
    return share
