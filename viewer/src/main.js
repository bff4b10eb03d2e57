// SPDX-License-Identifier: MIT
// Starts the page: reads the report, builds the panels and the view, and lets them know of each other.
import './style/base.css';
import './style/layout.css';
import './style/list.css';
import './style/view.css';
import './style/review.css';
import './style/print.css';
import { App } from './app.js';
import { counted } from './report/numbers.js';
import { reportInPage } from './report/read.js';
import { Review, storageOf } from './report/review.js';
import { View } from './scene/view.js';
import { fillAbout } from './ui/about.js';
import { fillBar } from './ui/bar.js';
import { Card } from './ui/card.js';
import { html } from './ui/dom.js';
import { FindingsList } from './ui/findings.js';
import { helpDialog, keyTable, listenToKeys } from './ui/keys.js';
import { Matrix } from './ui/matrix.js';
import { Panel } from './ui/panel.js';
import { listenToPointer } from './ui/pointer.js';
import { Print } from './ui/print.js';
import { Theme } from './ui/theme.js';
import { Timeline } from './ui/timeline.js';
import { Toolbar } from './ui/toolbar.js';
import { PartTree } from './ui/tree.js';

const byId = (id) => document.getElementById(id);

/** Says in the middle of the page why there is nothing else to see. */
function apologize(text) {
    byId('main').replaceChildren(html('p', { class: 'apology', role: 'alert' }, text));
}

function makeView(report) {
    try {
        return new View(report, { canvas: byId('canvas'), labels: byId('labels'), container: byId('view') });
    } catch (error) {
        byId('view').replaceChildren(html('p', { class: 'apology' },
            'This browser cannot draw in 3D (WebGL 2 is missing or switched off). The list is complete without it.'));
        return null;
    }
}

function makePanels(app) {
    const { report } = app;
    const panel = new Panel(byId('panel'));
    const findings = report.checked ? new FindingsList(app, panel.add('findings', 'Findings', report.findings.length)) : null;
    if (report.findings.length > 0) new Matrix(app, panel.add('matrix', 'Matrix'));
    const tree = new PartTree(app, panel.add('parts', 'Parts'));
    fillAbout(app, panel.add('report', 'Report', report.problems.length || null));
    panel.show(findings ? 'findings' : 'parts');
    app.on('filter', () => panel.show('findings'));
    return { panel, findings, tree };
}

/** What an overview leaves out, so that it is not missed without a word. */
function farNote({ parts, far }) {
    const [first] = far;
    const what = far.size === 1 ? `${parts[first].label} lies far away and is` : `${counted(far.size, 'part')} lie far away and are`;
    return `${what} left out of the overview; the report tab goes there.`;
}

/** Progress of decoding, words in passing, and what went wrong, in one place at the bottom of the view. */
function showStatus(app) {
    const place = byId('loading');
    const show = (text, kind) => {
        place.textContent = text;
        place.className = `loading ${kind}`;
    };
    const { queue } = app.view.parts;
    let less = false;
    const notes = () => [
        less && 'Many parts are shown simplified or as boxes, for speed. Display, Detail shows more.',
        app.report.far.size > 0 && farNote(app.report),
    ].filter(Boolean);
    const rest = () => {
        if (queue.waiting.size > 0) show(`Reading ${counted(queue.waiting.size, 'more shape')} …`, '');
        else if (queue.problems.length > 0) show(`Not everything can be shown: ${queue.problems.join('; ')}`, 'is-bad');
        else show(notes().join(' '), 'is-note');
    };
    app.on('say', (text) => {
        show(text, '');
        clearTimeout(place.timer);
        place.timer = setTimeout(rest, 1600);
    });
    app.view.parts.onLoad = () => {
        less ||= app.view.gauge();
        rest();
    };
    rest();
}

function connectCard(app) {
    const element = byId('card');
    const card = new Card(app, element);
    const place = () => {
        const { stage } = app.view;
        const over = !element.hidden && window.matchMedia('(min-width: 1101px)').matches;
        byId('view').style.setProperty('--covered', `${over ? element.offsetWidth + 16 : 0}px`);
        stage.setInset({ right: over ? element.offsetWidth + 16 : 0, bottom: (stage.height > 420 ? 72 : 48) + (app.report.moves ? 50 : 0) });
    };
    if (!app.view) return;
    card.onShow = place;
    window.addEventListener('resize', place);
    place();
}

/** The finding named after # in the address, and back. */
function followAddress(app) {
    const open = () => {
        const id = decodeURIComponent(location.hash.slice(1));
        const finding = id && app.report.findings.find((candidate) => candidate.id === id);
        if (finding && finding !== app.finding) app.select(finding);
    };
    window.addEventListener('hashchange', open);
    app.on('select', () => {
        if (app.finding) location.replace(`#${encodeURIComponent(app.finding.id)}`);
    });
    open();
}

function start() {
    const storage = storageOf(window);
    const theme = new Theme(storage);
    let report;
    try {
        report = reportInPage(document);
    } catch (error) {
        return apologize(`This report cannot be shown: ${error.message}.`);
    }
    if (!report) return apologize('This page is the empty form of a report; graze writes reports with it.');
    const view = makeView(report);
    const app = new App(report, new Review(report, storage), view, theme);
    if (view) theme.onChange((name) => view.setTheme(name));
    if (view) app.on('list', () => view.marks.setPins(app.listed));
    const { panel, findings, tree } = makePanels(app);
    connectCard(app);
    const toolbar = view ? new Toolbar(app, byId('view')) : null;
    const timeline = view && report.moves ? new Timeline(app, byId('view')) : null;
    const help = helpDialog(() => keys);
    const paper = new Print(app, byId('print'));
    const print = () => paper.start();
    fillBar(app, byId('bar'), { onHelp: help, onPrint: print });
    const keys = keyTable(app, toolbar, {
        search: () => (panel.shown === 'parts' ? tree : findings ?? tree).search.focus(),
        tree: () => panel.show('parts'),
        matrix: () => report.findings.length > 0 && panel.show('matrix'),
        print,
        help,
        timeline,
    });
    listenToKeys(keys);
    if (view) {
        listenToPointer(app, byId('canvas'));
        showStatus(app);
        view.home(true);
    }
    followAddress(app);
    app.paper = paper;
    window.graze = app; // for the console, and for tests
}

start();
