// SPDX-License-Identifier: MIT
// Making elements. Text always goes in as text: names in a report come from files of strangers.

const svgSpace = 'http://www.w3.org/2000/svg';

function fill(element, properties, children) {
    for (const [name, value] of Object.entries(properties)) {
        if (value == null || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (name === 'dataset') Object.assign(element.dataset, value);
        else if (name === 'value' || name === 'checked' || name === 'indeterminate') element[name] = value;
        else element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.flat(2).filter((child) => child != null && child !== false));
    return element;
}

/** An HTML element with attributes, listeners (on...) and children. */
export function html(tag, properties = {}, ...children) {
    return fill(document.createElement(tag), properties, children);
}

/** An SVG element. */
export function svg(tag, properties = {}, ...children) {
    return fill(document.createElementNS(svgSpace, tag), properties, children);
}

/** Offers a text or blob as a file. */
export function download(name, content, type) {
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const link = html('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
