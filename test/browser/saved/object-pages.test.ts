import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { en } from '../../../ui/src/i18n/en/index.ts';
import { alertsOf, sendJson, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { choose, fillQuery } from './choose.ts';

const ANALYTIC = 'Counted Analytic';
const QUERY = `howler.analytic:"${ANALYTIC}"`;
const OPERATION = { operation_id: 'promote', data_json: '{}' };

/** Lists of saved objects: their path, how two objects of them are made, and the name of the first. */
const LISTS = [
  { kind: 'view', create: en.views.create, made: (title: string) => ({ title, query: QUERY, type: 'global' }) },
  { kind: 'dossier', create: en.dossiers.create, made: (title: string) => ({ title, query: QUERY, type: 'global' }) },
  {
    ...{ kind: 'template', create: en.templates.create },
    made: (analytic: string) => ({ analytic, type: 'global', keys: ['source.ip'] }),
  },
  {
    ...{ kind: 'overview', create: en.overviews.create },
    made: (analytic: string) => ({ analytic, content: 'Text' }),
  },
  {
    ...{ kind: 'action', create: en.actions.create },
    made: (name: string) => ({ name, query: QUERY, operations: [OPERATION] }),
  },
] as const;

describe('pages of saved objects', { skip }, () => {
  const fixture = programFixture();
  const make = (kind: string, body: object) => sendJson(fixture.program, `/api/v1/${kind}/?refresh=true`, body);

  before(async () => {
    await storeAlerts(fixture.program, [
      ...alertsOf(ANALYTIC, 3, { 'source.ip': '203.0.113.9', 'user.name': 'a/b' }),
      ...alertsOf(ANALYTIC, 2, { 'howler.detection': 'Covered' }),
    ]);
    for (const { kind, made } of LISTS) for (const name of ['Wanted', 'Hidden']) await make(kind, made(name));
  });

  for (const { kind, create } of LISTS) {
    it(`keep the words of a search for ${kind}s in the address, and open each by a link`, async () => {
      await using watched = await fixture.openSignedIn(`/${kind}s`);
      const { page, offences } = watched;
      const table = page.getByRole('table');
      await table.getByText('Hidden', { exact: true }).waitFor();
      await page.getByRole('main').getByRole('textbox').fill('wanted');
      await table.getByText('Hidden', { exact: true }).waitFor({ state: 'detached' });
      await page.waitForURL((url) => url.searchParams.get('q') === 'wanted');
      await page.reload();
      await table.getByText('Wanted', { exact: true }).waitFor();
      assert.equal(await table.getByText('Hidden', { exact: true }).count(), 0);

      const link = kind === 'view' ? en.saved.editOf.replace('{{name}}', 'Wanted') : 'Wanted';
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('button', { name: en.saved.back }).click();
      await table.getByText('Wanted', { exact: true }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('q'), 'wanted');

      const button = page.getByRole('button', { name: create });
      assert.match((await button.textContent()) ?? '', /Ctrl/);
      await page.keyboard.press('Control+Alt+n');
      await page.getByRole('button', { name: en.common.create, exact: true }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('id'), 'new');
      assertNoOffences(offences);
    });
  }

  const question = (page: Page) => page.getByRole('alertdialog');
  const askToDelete = (page: Page) => page.getByRole('button', { name: en.common.delete, exact: true }).click();
  const cancel = async (page: Page) => {
    await question(page).getByRole('button', { name: en.common.cancel }).click();
    await question(page).waitFor({ state: 'detached' });
  };

  it('say how many alerts depend on a dossier as it is stored, and nothing false until that is known', async () => {
    const { dossier_id: id } = await make('dossier', { title: 'Counted', query: QUERY, type: 'global' });
    await using watched = await fixture.openSignedIn(`/dossiers?id=${id}`);
    const { page, offences } = watched;
    await fillQuery(page, en.saved.query, 'howler.analytic:none');
    await page.getByText(en.saved.preview.none).waitFor();
    let isRefused = false;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/search/count/hit', async (route) => {
      await held;
      if (isRefused) await route.fulfill({ status: 400, json: { api_error_message: 'not now' } });
      else await route.continue();
    });
    await askToDelete(page);
    await question(page).getByText(en.saved.counting).waitFor();
    release();
    await question(page).getByText(en.dossiers.deleteText_other.replace('{{count}}', '5')).waitFor();
    await cancel(page);
    isRefused = true;
    await askToDelete(page);
    await question(page).getByText(en.saved.notCounted).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('count the alerts that use an overview or template, without those that have their own', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    for (const [kind, body, words] of [
      ['overview', { content: 'Text' }, en.overviews.deleteText_other],
      ['template', { type: 'global', keys: ['source.ip'] }, en.templates.deleteText_other],
    ] as const) {
      const whole = await make(kind, { ...body, analytic: ANALYTIC });
      const covered = await make(kind, { ...body, analytic: ANALYTIC, detection: 'Covered' });
      for (const [object, count] of [
        [whole, '3'],
        [covered, '2'],
      ] as const) {
        await page.goto(`/${kind}s?id=${object[`${kind}_id`]}`);
        await askToDelete(page);
        await question(page).getByText(words.replace('{{count}}', count)).waitFor();
        await cancel(page);
      }
    }
    assertNoOffences(offences);
  });

  it('fill the pivots of a dossier as an alert does, with fields and fixed values', async () => {
    await using watched = await fixture.openSignedIn('/dossiers?id=new');
    const { page, offences } = watched;
    const { dossiers } = en;
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field(dossiers.name).fill('Pivots');
    await fillQuery(page, en.saved.query, `${QUERY} AND _exists_:source.ip`);
    await page.getByRole('button', { name: dossiers.addPivot }).click();
    await field(dossiers.english).fill('Look');
    await field(dossiers.french).fill('Voir');
    const address = field(dossiers.value);
    await address.fill('https://{{ip}}/');
    await page.getByText(dossiers.noLink.no_host).waitFor();
    await address.fill('https://tool.example/{{ ip }}?by={{{user.name}}}&as={{who}}');
    await page.getByText(dossiers.noLink.no_value.replace('{{name}}', 'ip')).waitFor();
    await page.getByRole('button', { name: dossiers.addMapping }).click();
    await field(dossiers.key).fill('ip');
    await choose(page, dossiers.field, 'source.ip');
    await page.getByText(dossiers.noLink.no_value.replace('{{name}}', 'who')).waitFor();
    await page.getByRole('button', { name: dossiers.addMapping }).click();
    await page.getByRole('textbox', { name: dossiers.key, exact: true }).last().fill('who');
    const second = page.getByRole('combobox', { name: dossiers.field, exact: true }).last();
    await until('the fixed value is chosen', async () => {
      await second.fill('custom');
      return page
        .getByRole('option', { name: /^custom/ })
        .first()
        .click({ timeout: 5000 })
        .then(
          () => true,
          () => false,
        );
    });
    await field(dossiers.customValue).fill('me & you');
    await page.getByText('https://tool.example/203.0.113.9?by=a%2Fb&as=me%20%26%20you').waitFor();
    await page.getByRole('button', { name: en.common.create, exact: true }).click();
    await page.waitForURL((url) => !['', 'new'].includes(url.searchParams.get('id') ?? ''));
    const { json } = await fixture.program.request(`/api/v1/dossier/${new URL(page.url()).searchParams.get('id')}`, {
      basic: 'admin:devkey:admin',
    });
    assert.partialDeepStrictEqual(json.api_response.pivots[0].mappings, [
      { key: 'ip', field: 'source.ip' },
      { key: 'who', field: 'custom', custom_value: 'me & you' },
    ]);
    assertNoOffences(offences);
  });

  it('preview events beside alerts for a view that searches them, and keep its further records', async () => {
    await sendJson(fixture.program, '/api/v2/ingest/event?refresh=true', [
      { message: 'An event of note', 'event.created': new Date().toISOString() },
    ]);
    const made = {
      title: 'With events',
      query: 'message:"An event of note"',
      type: 'global',
      indexes: ['case', 'hit'],
    };
    const { view_id: id } = await make('view', made);
    await using watched = await fixture.openSignedIn(`/views?id=${id}`);
    const { page, offences } = watched;
    const preview = page.getByRole('region', { name: en.saved.preview.title });
    await page.getByRole('checkbox', { name: en.views.events }).check();
    await preview.getByText('An event of note').waitFor();
    await preview.getByText(en.saved.preview.foundRecords_one.replace('{{count}}', '1')).waitFor();
    await page.getByRole('button', { name: en.common.save, exact: true }).click();
    const stored = async () =>
      (await fixture.program.request(`/api/v1/view/${id}`, { basic: 'admin:devkey:admin' })).json.api_response.indexes;
    await until('the events are searched', async () => JSON.stringify(await stored()) === '["case","hit","event"]');
    await page.getByRole('checkbox', { name: en.views.events }).uncheck();
    await page.getByRole('button', { name: en.common.save, exact: true }).click();
    await until('the other records are kept', async () => JSON.stringify(await stored()) === '["case","hit"]');
    assertNoOffences(offences);
  });
});
