// SPDX-License-Identifier: MIT
// Groups of parts and of findings. A group of parts is a top node of the part tree, below the nodes that all parts have in
// common; where the tree is flat it is the file. Findings are grouped by part, by cluster (findings connected by common
// parts) or by pair of groups.

/** How the list can be grouped. */
export const groupings = {
    none: 'None',
    part: 'Part',
    cluster: 'Cluster',
    groups: 'Pair of groups',
};

/** How many names all paths begin with; the last name of a path is the part's own. */
function commonDepth(parts) {
    const [first] = parts;
    let depth = 0;
    while (first && parts.every(({ path }) => path.length > depth + 1 && path[depth] === first.path[depth])) depth++;
    return depth;
}

const fileName = (path) => path.split(/[\\/]/).pop();

/** Names of all groups, and the group of each part. */
export function partGroups(report) {
    const { parts, header } = report;
    const depth = commonDepth(parts);
    const flat = parts.every(({ path }) => path.length <= depth + 1);
    const byFile = flat && header.inputs.length > 1;
    const names = [];
    const numbers = new Map();
    const groupOf = parts.map((part) => {
        const name = byFile && part.file != null ? fileName(header.inputs[part.file]?.path ?? '') : part.path[depth] ?? part.label;
        if (!numbers.has(name)) numbers.set(name, names.push(name) - 1);
        return numbers.get(name);
    });
    return { names, groupOf };
}

/** Key of the pair of groups that a finding is between, the same for both orders. */
export function pairKey(groupOf, finding) {
    const [p, q] = [groupOf[finding.a], groupOf[finding.b]];
    return p < q ? `${p}-${q}` : `${q}-${p}`;
}

/** Findings of each pair of groups. */
export function matrixOf(groupOf, findings) {
    const cells = new Map();
    for (const finding of findings) {
        const key = pairKey(groupOf, finding);
        const cell = cells.get(key);
        if (cell) cell.push(finding);
        else cells.set(key, [finding]);
    }
    return cells;
}

/** For each part the number of its cluster: parts that findings connect, directly or over others. */
export function clustersOf(parts, findings) {
    const parent = parts.map((_, index) => index);
    const root = (index) => {
        while (parent[index] !== index) index = parent[index] = parent[parent[index]];
        return index;
    };
    for (const { set } of findings) for (const part of set) parent[root(part)] = root(set[0]);
    return parts.map((_, index) => root(index));
}

/** How many of the findings each part has. */
function countsOf(parts, findings) {
    const counts = new Uint32Array(parts.length);
    for (const { set } of findings) for (const part of set) counts[part]++;
    return counts;
}

/**
 * Splits findings, which keep their order, into groups, which stand in the order of their first finding. By part a finding
 * stands under that of its parts which has more findings: one wrong part is one group.
 * @return [{key, title, findings}]
 */
export function groupFindings(report, findings, by, groups) {
    const { parts } = report;
    const counts = countsOf(parts, findings);
    const busiest = (indices) => indices.reduce((best, part) => (counts[part] > counts[best] ? part : best));
    const clusters = by === 'cluster' ? clustersOf(parts, findings) : null;
    const keys = {
        part: ({ set }) => busiest(set),
        cluster: ({ a }) => clusters[a],
        groups: (finding) => pairKey(groups.groupOf, finding),
    };
    const byKey = new Map();
    for (const finding of findings) {
        const key = keys[by](finding);
        if (!byKey.has(key)) byKey.set(key, []);
        byKey.get(key).push(finding);
    }
    const titles = {
        part: (key) => parts[key].label,
        cluster: (_, members) => {
            const indices = [...new Set(members.flatMap(({ set }) => set))];
            const others = indices.length - 1;
            return `${parts[busiest(indices)].label}${others > 0 ? ` and ${others} connected` : ''}`;
        },
        groups: (_, [{ a, b }]) => {
            const [p, q] = [groups.names[groups.groupOf[a]], groups.names[groups.groupOf[b]]];
            return p === q ? `within ${p}` : `${p} × ${q}`;
        },
    };
    return [...byKey].map(([key, members]) => ({ key: `${by}:${key}`, title: titles[by](key, members), findings: members }));
}
