import type { Page } from 'playwright-core';
import type { en } from '../../../ui/src/i18n/en/index.ts';
import type { fr } from '../../../ui/src/i18n/fr/index.ts';
import { choose, fillQuery, pick } from './choose.ts';

export type Language = 'en' | 'fr';
export type Words = typeof en | typeof fr;

/** An analytic with one alert. */
export const ANALYTIC = 'Typed Analytic';
const QUERY = `howler.analytic:"${ANALYTIC}"`;
/** Finds the same alert. */
const OTHER_QUERY = `howler.analytic:("${ANALYTIC}")`;

/** Objects of one kind: how the pages show, make and change them. */
export interface SavedKind {
  readonly language: Language;
  readonly path: string;
  /** Path of the alert service, with a slash at its end. */
  readonly api: string;
  readonly idField: string;
  /** Names of two objects of the demo, of which a search for the first does not find the second. */
  readonly shown: string;
  readonly hidden: string;
  readonly createLabel: (words: Words) => string;
  /** Fills the form of a new object. */
  readonly create: (page: Page, words: Words) => Promise<void>;
  readonly made: Readonly<Record<string, unknown>>;
  readonly change: (page: Page, words: Words) => Promise<void>;
  /** A change of another member by another window, before the form is sent. */
  readonly meanwhile?: unknown;
  readonly isChanged: (stored: Readonly<Record<string, unknown>>) => boolean;
  /** The sentence for a person who may not change or delete it. */
  readonly reason: (words: Words) => string;
  /** A change that the service refuses to others. Undefined: they may change it, not delete it. */
  readonly readersChange?: unknown;
  /** Another person marks it as a favourite before it is deleted. */
  readonly favour?: boolean;
  readonly dependants: (words: Words) => string;
}

const counted = (message: string) => message.replace('{{count}}', '1');

export const KINDS: readonly SavedKind[] = [
  {
    language: 'en',
    path: '/views',
    api: '/api/v1/view/',
    idField: 'view_id',
    shown: 'Unassigned',
    hidden: 'Beacons and tunnels',
    createLabel: ({ views }) => views.create,
    async create(page, { views, saved }) {
      await page.getByRole('textbox', { name: views.name }).fill('A "typed" <view>');
      await fillQuery(page, saved.query, QUERY);
      await page.getByRole('radio', { name: saved.types.global }).check();
    },
    made: { title: 'A "typed" <view>', query: QUERY, type: 'global', owner: 'admin', indexes: ['hit'] },
    async change(page, { views }) {
      await page.getByRole('textbox', { name: views.name }).fill('Renamed');
      await page.getByRole('checkbox', { name: views.advances }).check();
    },
    meanwhile: { query: OTHER_QUERY, settings: { columns: [{ field: 'source.ip' }] } },
    isChanged: ({ title, query, settings }) =>
      title === 'Renamed' && query === OTHER_QUERY && JSON.stringify(settings).includes('source.ip'),
    reason: ({ saved }) => saved.notYours,
    readersChange: { title: 'Taken over' },
    favour: true,
    dependants: ({ views }) => counted(views.favouriteOf_one),
  },
  {
    language: 'fr',
    path: '/templates',
    api: '/api/v1/template/',
    idField: 'template_id',
    shown: 'Cloud Guard',
    hidden: 'Beacon Hunter',
    createLabel: ({ templates }) => templates.create,
    async create(page, { templates, saved }) {
      await choose(page, saved.analytic, ANALYTIC);
      await page.getByRole('radio', { name: saved.types.global }).check();
      await choose(page, templates.add, 'source.ip');
      await page.getByRole('button', { name: templates.remove.replace('{{key}}', 'source.ip') }).waitFor();
    },
    made: { analytic: ANALYTIC, type: 'global', keys: ['source.ip'] },
    async change(page, { templates }) {
      await choose(page, templates.add, 'user.name');
      await page.getByRole('button', { name: templates.up.replace('{{key}}', 'user.name') }).click();
    },
    isChanged: ({ keys }) => JSON.stringify(keys) === '["user.name","source.ip"]',
    reason: ({ templates }) => templates.notDeletable,
    dependants: ({ templates }) => counted(templates.deleteText_one),
  },
  {
    language: 'fr',
    path: '/overviews',
    api: '/api/v1/overview/',
    idField: 'overview_id',
    shown: 'Phish Lens',
    hidden: 'Password Checker',
    createLabel: ({ overviews }) => overviews.create,
    async create(page, { overviews, saved }) {
      await choose(page, saved.analytic, ANALYTIC);
      await page.getByRole('textbox', { name: overviews.content }).fill('# {{source.ip}}\n\n<b>gras</b>');
    },
    made: { analytic: ANALYTIC, owner: 'admin', content: '# {{source.ip}}\n\n<b>gras</b>' },
    async change(page, { overviews }) {
      await page.getByRole('textbox', { name: overviews.content }).fill('De **{{source.ip}}**');
      await page.locator('strong', { hasText: '203.0.113.9' }).waitFor();
    },
    isChanged: ({ content }) => content === 'De **{{source.ip}}**',
    reason: ({ saved }) => saved.notDeletable,
    dependants: ({ overviews }) => counted(overviews.deleteText_one),
  },
  {
    language: 'fr',
    path: '/dossiers',
    api: '/api/v1/dossier/',
    idField: 'dossier_id',
    shown: 'Beacons',
    hidden: 'Phishing',
    createLabel: ({ dossiers }) => dossiers.create,
    async create(page, { dossiers, saved }) {
      await page.getByRole('textbox', { name: dossiers.name }).fill('Dossier tapé');
      await fillQuery(page, saved.query, QUERY);
      await page.getByRole('radio', { name: saved.types.global }).check();
      await page.getByRole('button', { name: dossiers.addLead }).click();
      await page.getByRole('textbox', { name: dossiers.english }).fill('Ask');
      await page.getByRole('textbox', { name: dossiers.french }).fill('Demander');
      await page.getByRole('textbox', { name: dossiers.content }).fill('À qui est {{source.ip}} ?');
    },
    made: {
      ...{ title: 'Dossier tapé', query: QUERY, type: 'global', owner: 'admin' },
      leads: [{ label: { en: 'Ask', fr: 'Demander' }, format: 'markdown', content: 'À qui est {{source.ip}} ?' }],
    },
    change: (page, { dossiers }) => page.getByRole('textbox', { name: dossiers.name }).fill('Autre titre'),
    meanwhile: { query: OTHER_QUERY },
    isChanged: ({ title, query }) => title === 'Autre titre' && query === OTHER_QUERY,
    reason: ({ saved }) => saved.notYours,
    readersChange: { title: 'Pris' },
    dependants: ({ dossiers }) => counted(dossiers.deleteText_one),
  },
  {
    language: 'en',
    path: '/actions',
    api: '/api/v1/action/',
    idField: 'action_id',
    shown: 'Mark executives',
    hidden: 'Finance laptops',
    createLabel: ({ actions }) => actions.create,
    async create(page, { actions, common }) {
      await page.getByRole('textbox', { name: common.name }).fill('Typed action');
      await fillQuery(page, actions.query, QUERY);
      await pick(page, actions.addStep, actions.operation.add_label);
      await pick(page, actions.argument.category, 'generic');
      await choose(page, actions.argument.label, 'typed-label');
      await page.getByRole('checkbox', { name: actions.trigger.create }).check();
    },
    made: {
      ...{ name: 'Typed action', query: QUERY, triggers: ['create'], owner: 'admin' },
      operations: [{ operation_id: 'add_label', data_json: '{"category":"generic","label":"typed-label"}' }],
    },
    change: (page, { common }) => page.getByRole('textbox', { name: common.name }).fill('Renamed action'),
    meanwhile: { query: OTHER_QUERY, triggers: ['create'] },
    isChanged: ({ name, query }) => name === 'Renamed action' && query === OTHER_QUERY,
    reason: ({ actions }) => actions.readOnly.replace('{{owner}}', 'admin'),
    readersChange: { name: 'Taken over', query: QUERY, triggers: ['create'] },
    dependants: ({ actions }) => actions.deleteTriggers.replace('{{triggers}}', actions.trigger.create),
  },
];
