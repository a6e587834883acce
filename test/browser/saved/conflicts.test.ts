import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../../../ui/src/i18n/en/index.ts';
import { sendJson, someIdentifier, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip, type WatchedContext } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { choose } from './choose.ts';

const ANALYTIC = 'Contested Analytic';
const QUERY = `howler.analytic:"${ANALYTIC}"`;
const LABEL = { operation_id: 'add_label', data_json: '{"category":"generic","label":"x"}' };

/** A member of a kind of object that two people change at the same time. */
interface Contested {
  readonly kind: 'view' | 'template' | 'overview' | 'dossier' | 'action' | 'analytic';
  readonly member: string;
  /** A new object. Undefined: the analytic of the alerts. */
  readonly made?: object;
  readonly address: (id: string) => string;
  /** Opens the form, where the page does not show it at once. */
  readonly edit?: (page: Page) => Promise<void>;
  readonly type: (page: Page) => Promise<void>;
  /** The typed value is still in the form. */
  readonly isTyped: (page: Page) => Promise<boolean>;
  readonly theirs: unknown;
  /** Words of both versions in the question. */
  readonly words: readonly [theirs: string, mine: string];
  readonly stored: (object: Readonly<Record<string, unknown>>) => unknown;
  readonly values: readonly [theirs: unknown, mine: unknown];
}

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const typesInto = (name: string) => ({
  type: (page: Page) => textbox(page, name).fill('Mine'),
  isTyped: async (page: Page) => (await textbox(page, name).inputValue()) === 'Mine',
  words: ['Theirs', 'Mine'] as const,
  values: ['Theirs', 'Mine'] as const,
});

const CONTESTED: readonly Contested[] = [
  {
    ...{ kind: 'view', member: en.views.name, theirs: { title: 'Theirs' } },
    made: { title: 'Contested', query: QUERY, type: 'global' },
    address: (id) => `/views?id=${id}`,
    ...typesInto(en.views.name),
    stored: ({ title }) => title,
  },
  {
    ...{ kind: 'dossier', member: en.dossiers.name, theirs: { title: 'Theirs' } },
    made: { title: 'Contested', query: QUERY, type: 'global' },
    address: (id) => `/dossiers?id=${id}`,
    ...typesInto(en.dossiers.name),
    stored: ({ title }) => title,
  },
  {
    ...{ kind: 'overview', member: en.overviews.content, theirs: { content: 'Theirs' } },
    made: { analytic: ANALYTIC, content: 'Before' },
    address: (id) => `/overviews?id=${id}`,
    ...typesInto(en.overviews.content),
    stored: ({ content }) => content,
  },
  {
    ...{ kind: 'action', member: en.common.name, theirs: { name: 'Theirs' } },
    made: { name: 'Contested', query: QUERY, operations: [LABEL] },
    address: (id) => `/actions?id=${id}`,
    ...typesInto(en.common.name),
    stored: ({ name }) => name,
  },
  {
    ...{ kind: 'template', member: en.templates.keys, theirs: ['source.ip', 'host.name'] },
    made: { analytic: ANALYTIC, type: 'global', keys: ['source.ip'] },
    address: (id) => `/templates?id=${id}`,
    type: (page) => choose(page, en.templates.add, 'user.name'),
    isTyped: (page) =>
      page.getByRole('button', { name: en.templates.remove.replace('{{key}}', 'user.name') }).isVisible(),
    words: ['host.name', 'user.name'],
    stored: ({ keys }) => keys,
    values: [
      ['source.ip', 'host.name'],
      ['source.ip', 'user.name'],
    ],
  },
  {
    ...{ kind: 'analytic', member: en.analytics.description, theirs: { description: 'Theirs' } },
    address: (id) => `/analytics/${id}`,
    edit: (page) => page.getByRole('button', { name: en.analytics.editDescription }).click(),
    ...typesInto(en.analytics.description),
    stored: ({ description }) => description,
  },
  {
    ...{ kind: 'analytic', member: en.analytics.rationales, theirs: { triage_settings: { rationales: ['theirs'] } } },
    address: (id) => `/analytics/${id}?tab=triage`,
    type: async (page) => {
      await page.getByRole('combobox', { name: en.analytics.rationales }).fill('mine');
      await page.getByRole('option', { name: /mine/ }).click();
    },
    isTyped: (page) => page.getByText('mine', { exact: true }).first().isVisible(),
    words: ['theirs', 'mine'],
    stored: ({ triage_settings: settings }) => (settings as { rationales: unknown }).rationales,
    values: [['theirs'], ['mine']],
  },
];

describe('two people who change the same', { skip }, () => {
  const fixture = programFixture();
  let watched: WatchedContext;
  before(async () => {
    await storeAlerts(fixture.program, [{ 'howler.analytic': ANALYTIC, 'source.ip': '203.0.113.9' }]);
    watched = await fixture.openSignedIn('/settings');
  });

  const byColleague = (path: string, json: unknown) => sendJson(fixture.program, path, json, { method: 'PUT' });

  for (const contested of CONTESTED) {
    const { kind, member, made, address, edit, type, isTyped, theirs, words, stored, values } = contested;

    it(`see both versions of a ${kind} (${member}), and what was typed is kept`, async () => {
      const { page, offences } = watched;
      const id =
        made === undefined
          ? await someIdentifier(fixture.program, 'analytic', 'analytic_id')
          : String((await sendJson(fixture.program, `/api/v1/${kind}/`, made))[`${kind}_id`]);
      const path = `/api/v1/${kind}/${id}`;
      const storedValue = async () => {
        const { json } = await fixture.program.request(path, { basic: 'admin:devkey:admin' });
        return stored(json.api_response);
      };
      await page.goto(address(id));
      await edit?.(page);
      await type(page);
      await page.waitForFunction(() => Object.keys(localStorage).some((name) => name.startsWith('triad.draft.')));
      await byColleague(path, theirs);
      // What the person saw when they typed counts, also after a reload that shows the other version.
      await page.reload();
      const save = page.getByRole('button', { name: en.common.save, exact: true });
      await save.waitFor();
      assert.ok(await isTyped(page));
      const question = page.getByRole('dialog', { name: en.saved.conflict });
      await save.click();
      for (const word of words) await question.getByText(word, { exact: true }).first().waitFor();
      assert.equal(await question.getByRole('heading', { level: 3 }).count(), 1, 'only what both changed');
      assert.deepEqual(await accessibilityProblems(page), []);
      await question.getByRole('button', { name: en.conflict.keep }).click();
      await question.waitFor({ state: 'detached' });
      await page.getByText(en.conflict.kept).waitFor();
      assert.ok(await isTyped(page));
      assert.deepEqual(await storedValue(), values[0]);

      await save.click();
      await question.getByRole('button', { name: en.conflict.apply }).click();
      await question.waitFor({ state: 'detached' });
      await page.waitForFunction(() => !Object.keys(localStorage).some((name) => name.startsWith('triad.draft.')));
      assert.deepEqual(await storedValue(), values[1]);
      assertNoOffences(offences, REFUSED_REQUESTS);
    });
  }

  it('do not bring an automation back that another person switched off', async () => {
    const { page } = watched;
    const input = { name: 'Automated', query: QUERY, operations: [LABEL], triggers: ['create', 'promote'] };
    const { action_id: id } = await sendJson(fixture.program, '/api/v1/action/', input);
    const path = `/api/v1/action/${id}`;
    await page.goto(`/actions?id=${id}`);
    await textbox(page, en.common.name).fill('Renamed');
    await byColleague(path, { triggers: [] });
    await page.getByRole('button', { name: en.common.save, exact: true }).click();
    await page.getByText(en.actions.saved.replace('{{name}}', 'Renamed')).waitFor();
    const { json } = await fixture.program.request(path, { basic: 'admin:devkey:admin' });
    assert.deepEqual([json.api_response.name, json.api_response.triggers], ['Renamed', []]);
    // The form shows what is stored now.
    assert.equal(await page.getByRole('checkbox', { name: en.actions.trigger.create }).isChecked(), false);

    await page.getByRole('checkbox', { name: en.actions.trigger.promote }).check();
    await byColleague(path, { triggers: ['demote'] });
    await page.getByRole('button', { name: en.common.save, exact: true }).click();
    const question = page.getByRole('dialog', { name: en.saved.conflict });
    await question.getByText(en.actions.trigger.demote).waitFor();
    await question.getByText(en.actions.trigger.promote).waitFor();
    await question.getByRole('button', { name: en.conflict.keep }).click();
    await page.getByRole('button', { name: en.common.discardDraft }).click();
    assert.equal(await page.getByRole('checkbox', { name: en.actions.trigger.demote }).isChecked(), true);
    assert.equal(await page.getByRole('checkbox', { name: en.actions.trigger.promote }).isChecked(), false);
  });

  it('are told that the same exists already when they create it', async () => {
    const { page } = watched;
    await sendJson(fixture.program, '/api/v1/overview/', { analytic: 'Taken', content: 'Theirs' });
    await page.goto('/overviews?id=new&analytic=Taken');
    await textbox(page, en.overviews.content).fill('Mine');
    await page.getByRole('button', { name: en.common.create, exact: true }).click();
    await page.getByText('An overview covering this case already exists.').waitFor();
    assert.equal(await textbox(page, en.overviews.content).inputValue(), 'Mine');
    await page.evaluate(() => localStorage.clear());
  });
});
