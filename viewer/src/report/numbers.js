// SPDX-License-Identifier: MIT
// Numbers as people read them. An interval is certified, so its ends are rounded outwards: what is printed still holds.

/** A number with about `digits` significant digits, no needless zeros, thousands kept apart. */
export function number(value, digits = 5) {
    if (value == null || !Number.isFinite(value)) return '–';
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e9 || size < 1e-6) return value.toExponential(Math.max(0, digits - 1)).replace(/\.?0+e/, 'e');
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    return Number(value.toFixed(Math.min(decimals, 20))).toLocaleString('en-US', { maximumFractionDigits: 12 });
}

/** An upper bound, rounded up to `digits` significant digits. */
export function upperBound(value, digits = 2) {
    if (!(value > 0)) return '0';
    const scale = 10 ** (Math.floor(Math.log10(value)) + 1 - digits);
    return number(Math.ceil(value / scale - 1e-9) * scale, digits + 1);
}

/** A count with its thousands kept apart. */
export function count(value) {
    return value == null ? '–' : value.toLocaleString('en-US');
}

/** "1 part", "2 parts". */
export function counted(value, one, many = `${one}s`) {
    return `${count(value)} ${value === 1 ? one : many}`;
}

/**
 * The multiple of 10^-decimals next to `value`, below it or above it; the nearest where that is the same number but for its
 * last digits (0.49999999999997), which are in the tooltip.
 */
function outwards(value, decimals, up) {
    const scale = 10 ** decimals;
    const nearest = Math.round(value * scale) / scale;
    if (Math.abs(nearest - value) <= 1e-9 * Math.abs(value)) return nearest;
    let units = up ? Math.ceil(value * scale) : Math.floor(value * scale);
    if (up ? units / scale < value : units / scale > value) units += up ? 1 : -1;
    return units / scale;
}

/** A certified interval: one number where the ends agree in what is printed, "lower – upper" otherwise. */
export function interval(ends, units = '') {
    if (!ends) return '–';
    const [lower, upper] = ends;
    const unit = units ? `\u202f${units}` : '';
    if (lower === upper) return number(lower) + unit;
    if (!Number.isFinite(upper)) return `≥ ${number(lower)}${unit}`;
    const width = upper - lower;
    if (width <= 1e-4 * Math.abs(upper)) return `${number(upper, 5)}${unit}`;
    const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(width))));
    const low = outwards(lower, decimals, false);
    const high = outwards(upper, decimals, true);
    const text = (value) => value.toLocaleString('en-US', { maximumFractionDigits: decimals });
    return `${text(low)} – ${text(high)}${unit}`;
}

/** The ends of an interval to the last digit, for a tooltip. */
export function intervalInFull(ends) {
    return ends ? `[${ends[0]}, ${ends[1]}]` : '';
}

/** A point, comma separated. */
export function point(values, digits = 7) {
    return values ? values.map((value) => number(value, digits)).join(', ') : '–';
}

/** Bytes as KB, MB. */
export function bytes(size) {
    if (size == null) return '–';
    const units = ['B', 'kB', 'MB', 'GB'];
    let k = 0;
    for (; size >= 1000 && k < 3; k++) size /= 1000;
    return `${number(size, 3)} ${units[k]}`;
}
