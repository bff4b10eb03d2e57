// SPDX-License-Identifier: MIT
// What parts are drawn with: the mesh of a geometry block, shared by all its instances, or the box that stands for it.
import { BoxGeometry, BufferAttribute, BufferGeometry, EdgesGeometry } from 'three';
import { crease, creaseLimit } from './creases.js';
import { isPrimitive, primitiveGeometry } from './primitives.js';

function withBounds(geometry) {
    geometry.computeBoundingBox();
    geometry.computeBoundingSphere();
    return geometry;
}

/** Corners of simplified meshes are where the grid was, not where the part has an edge: only the sharpest count. */
const reducedCreaseAngle = 60;

/** A shape: faces, edges or null, whether it carries normals, whether it is closed, where its own zero lies. */
export function shapeOfMesh(key, { positions, indices }, about, isReduced = false) {
    if (isPrimitive(about.shape) && !isReduced) return shapeOfPrimitive(key, about);
    const faces = new BufferGeometry();
    const isPlane = about.shape?.kind === 'half_space';
    const common = { key, faces, closed: about.closed ?? false, offset: about.offset ?? [0, 0, 0], triangles: about.triangles, isPlane };
    if (about.triangles > creaseLimit) {
        faces.setAttribute('position', new BufferAttribute(positions, 3));
        faces.setIndex(new BufferAttribute(indices, 1));
        return { ...common, faces: withBounds(faces), edges: null, flat: true };
    }
    const body = crease(positions, indices, isReduced ? reducedCreaseAngle : undefined);
    const position = new BufferAttribute(body.positions, 3);
    faces.setAttribute('position', position);
    faces.setAttribute('normal', new BufferAttribute(body.normals, 4, true));
    faces.setIndex(new BufferAttribute(body.indices, 1));
    let edges = null;
    if (body.edges.length > 0) {
        edges = new BufferGeometry();
        edges.setAttribute('position', position); // the same buffer, uploaded once
        edges.setIndex(new BufferAttribute(body.edges, 1));
    }
    return { ...common, faces: withBounds(faces), edges, flat: false };
}

/** A primitive is drawn as what it is: the mesh of its block only stands for it. */
function shapeOfPrimitive(key, about) {
    const offset = about.offset ?? [0, 0, 0];
    const { faces, edges, triangles } = primitiveGeometry(about.shape, offset);
    return { key, faces: withBounds(faces), edges, closed: about.closed ?? false, offset, triangles, flat: false };
}

/** The unit box about the origin, scaled for every part that has nothing better. */
export function boxShape() {
    const faces = withBounds(new BoxGeometry(1, 1, 1));
    faces.deleteAttribute('uv');
    return {
        key: -1, faces, edges: withBounds(new EdgesGeometry(faces)), flat: false, closed: true, offset: [0, 0, 0],
        triangles: 12, isBox: true,
    };
}
