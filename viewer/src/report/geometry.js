// SPDX-License-Identifier: MIT
// Geometry blocks: each is the base64 text of a script element, raw or gzip, holding float positions and then indices,
// little endian. They are decoded one by one and only when asked for, so that a page with hundreds of megabytes shows its
// list at once; the text of a block goes away as soon as it is decoded.

const positionSize = 12;

/** Bytes of base64 text; blanks and line breaks are allowed. */
function bytesOfBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

async function gunzip(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Positions and indices of a block's bytes. Throws where they do not fit what the report says of them. */
export function meshOfBytes(bytes, about) {
    const { vertices, triangles } = about;
    const indexSize = about.index === 'u16' ? 2 : 4;
    const indexStart = vertices * positionSize;
    if (bytes.length !== indexStart + triangles * 3 * indexSize)
        throw new Error(`has ${bytes.length} bytes, not those of ${vertices} vertices and ${triangles} triangles`);
    // Positions begin at 0 and indices at a multiple of 12, so views need no copy unless the array itself is unaligned.
    const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const positions = new Float32Array(own.buffer, own.byteOffset, vertices * 3);
    const Index = indexSize === 2 ? Uint16Array : Uint32Array;
    const indices = new Index(own.buffer, own.byteOffset + indexStart, triangles * 3);
    for (let i = 0; i < indices.length; i++) if (indices[i] >= vertices) throw new Error('has an index out of range');
    return { positions, indices };
}

/** Decodes block `number` of the page. */
export async function decodeBlock(document, number, about) {
    const element = document.getElementById(`graze-geometry-${number}`);
    if (!element) throw new Error(`geometry ${number} is missing in this page`);
    try {
        let bytes = bytesOfBase64(element.textContent);
        element.textContent = '';
        if (about.encoding === 'gzip') bytes = await gunzip(bytes);
        return meshOfBytes(bytes, about);
    } catch (error) {
        throw new Error(`geometry ${number}: ${error.message}`);
    }
}

/**
 * Decodes blocks in the order of their urgency, a few milliseconds at a time, and hands each over once.
 * `prepare(number, mesh)` makes of a mesh what shall be kept.
 */
export class BlockQueue {
    constructor(document, geometries, prepare) {
        this.document = document;
        this.geometries = geometries;
        this.prepare = prepare;
        this.ready = new Map(); // number -> what prepare gave, or null where the block is bad
        this.waiting = new Set();
        this.urgent = new Set();
        this.problems = [];
        this.running = null;
        this.onProgress = () => {};
    }

    /** Asks for blocks; those already here or asked for cost nothing. */
    want(numbers, urgent = false) {
        for (const number of numbers) {
            if (number == null || this.ready.has(number)) continue;
            this.waiting.add(number);
            if (urgent) this.urgent.add(number);
        }
        if (this.waiting.size > 0 && !this.running)
            this.running = this.run().finally(() => (this.running = null));
        return this.running ?? Promise.resolve();
    }

    async run() {
        let since = performance.now();
        while (this.waiting.size > 0) {
            const [number] = this.urgent.size > 0 ? this.urgent : this.waiting;
            this.urgent.delete(number);
            this.waiting.delete(number);
            if (this.ready.has(number)) continue;
            await this.decode(number);
            if (performance.now() - since > 24 || this.waiting.size === 0) {
                this.onProgress(this.waiting.size);
                await new Promise((resolve) => setTimeout(resolve));
                since = performance.now();
            }
        }
    }

    async decode(number) {
        try {
            const mesh = await decodeBlock(this.document, number, this.geometries[number]);
            this.ready.set(number, this.prepare(number, mesh));
        } catch (error) {
            this.ready.set(number, null);
            this.problems.push(error.message);
        }
    }
}
