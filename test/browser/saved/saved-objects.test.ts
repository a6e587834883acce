import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { en } from '../../../ui/src/i18n/en/index.ts';
import { fr } from '../../../ui/src/i18n/fr/index.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip, type WatchedContext } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { ANALYTIC, KINDS, type Language, type Words } from './kinds.ts';

const ADMIN = 'admin:devkey:admin';
/** Has no rights on what the administrator makes. */
const READER = 'huey';

describe('saved objects', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });
  /** One signed-in page for each language and person: signing in costs more than the steps. */
  const opened = new Map<string, WatchedContext>();

  async function pageOf(user: string, language: Language): Promise<WatchedContext> {
    const key = `${user} ${language}`;
    const theme = language === 'fr' ? 'light' : 'dark';
    const watched = opened.get(key) ?? (await fixture.openSignedIn('/settings', { theme, language, as: { user } }));
    opened.set(key, watched);
    return watched;
  }

  const request = (path: string, method = 'GET', json?: unknown, basic = ADMIN) =>
    fixture.program.request(path, { method, basic, ...(json === undefined ? {} : { json }) });

  before(async () => {
    const alert = { 'howler.analytic': ANALYTIC, 'howler.detection': 'Typed Detection', 'source.ip': '203.0.113.9' };
    const { status, text } = await request('/api/v1/hit?refresh=true', 'POST', [alert]);
    assert.equal(status, 201, text);
  });

  const hasDraft = (page: Page, kind: string) =>
    page.evaluate(
      (begin) => Object.keys(localStorage).some((key) => key.startsWith(begin)),
      `triad.draft.admin.${kind}`,
    );

  for (const kind of KINDS) {
    const { language, path, api, idField } = kind;
    const words: Words = language === 'fr' ? fr : en;
    const all = async () => (await request(api)).json.api_response as Record<string, unknown>[];

    it(`${path.slice(1)} are found, made, changed, kept from others, and deleted (${language})`, async () => {
      const { page, offences } = await pageOf('admin', language);
      await page.goto(path);
      const table = page.getByRole('table');
      await table.getByText(kind.shown, { exact: true }).first().waitFor();
      await table.getByText(kind.hidden, { exact: true }).first().waitFor();
      await page.getByRole('main').getByRole('textbox').fill(kind.shown.toLowerCase());
      await table.getByText(kind.hidden, { exact: true }).first().waitFor({ state: 'detached' });
      await table.getByText(kind.shown, { exact: true }).first().waitFor();

      const earlier = new Set((await all()).map((one) => one[idField]));
      await page.getByRole('button', { name: kind.createLabel(words) }).click();
      await kind.create(page, words);
      await page.reload();
      await page.getByText(words.common.draft).waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.getByRole('button', { name: words.common.create, exact: true }).click();
      await page.waitForURL((url) => !['', 'new'].includes(url.searchParams.get('id') ?? ''));
      const made = (await all()).find((one) => !earlier.has(one[idField]));
      assert.ok(made !== undefined);
      assert.partialDeepStrictEqual(made, kind.made);
      const id = String(made[idField]);
      assert.equal(new URL(page.url()).searchParams.get('id'), id);
      await until('the draft is gone', async () => !(await hasDraft(page, path.slice(1, -1))));

      await kind.change(page, words);
      await page.reload();
      await page.getByRole('button', { name: words.common.discardDraft }).click();
      await page.getByText(words.common.draft).waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('button', { name: words.common.save, exact: true }).isDisabled(), true);
      await kind.change(page, words);
      if (kind.meanwhile !== undefined) assert.equal((await request(`${api}${id}`, 'PUT', kind.meanwhile)).status, 200);
      await page.getByRole('button', { name: words.common.save, exact: true }).click();
      const present = async () => (await all()).find((one) => one[idField] === id);
      await until('the change is stored', async () => kind.isChanged((await present()) ?? {}));
      await until('the draft is gone again', async () => !(await hasDraft(page, path.slice(1, -1))));

      const reader = await pageOf(READER, language);
      await reader.page.goto(`${path}?id=${id}`);
      await reader.page.getByText(kind.reason(words)).waitFor();
      const buttons = (name: string) => reader.page.getByRole('button', { name, exact: true }).count();
      assert.equal(await buttons(words.common.delete), 0);
      assert.equal(await buttons(words.common.save), kind.readersChange === undefined ? 1 : 0);
      const address = `${api}${id}`;
      const basic = `${READER}:devkey:${READER}`;
      assert.equal((await request(address, 'DELETE', undefined, basic)).status, 403);
      if (kind.readersChange !== undefined) {
        assert.equal((await request(address, 'PUT', kind.readersChange, basic)).status, 403);
      }
      assert.ok(kind.isChanged((await present()) ?? {}));

      if (kind.favour) assert.ok((await request(`${address}/favourite`, 'POST', {}, basic)).status < 300);
      await page.reload();
      await page.getByRole('button', { name: words.common.delete, exact: true }).click();
      const question = page.getByRole('alertdialog');
      await question.getByText(kind.dependants(words)).waitFor();
      await question.getByRole('button', { name: words.common.delete, exact: true }).click();
      await page.getByRole('button', { name: kind.createLabel(words) }).waitFor();
      assert.equal(await present(), undefined);
      assertNoOffences(offences);
      assertNoOffences(reader.offences, REFUSED_REQUESTS);
    });
  }

  it('analytics are described, discussed and given away, and never made or deleted (fr)', async () => {
    const { page, offences } = await pageOf('admin', 'fr');
    await page.goto('/analytics');
    await page.getByRole('main').getByRole('textbox').fill('typed');
    await page.getByRole('link', { name: ANALYTIC }).click();
    const words = fr.analytics;
    const description = page.getByRole('textbox', { name: words.description });
    await page.getByRole('button', { name: words.editDescription }).click();
    await description.fill('Trouve **ce qui est tapé**.');
    await page.reload();
    assert.equal(await description.inputValue(), 'Trouve **ce qui est tapé**.');
    await page.getByRole('button', { name: fr.common.save }).click();
    await page.locator('strong', { hasText: 'ce qui est tapé' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const address = `/api/v1/analytic/${id}`;
    const stored = async () => (await request(address)).json.api_response;
    // The preview has shown these words since they were typed.
    await until('it is stored', async () => (await stored()).description === 'Trouve **ce qui est tapé**.');
    await page.getByRole('button', { name: words.editDescription }).waitFor();

    await page.getByRole('button', { name: words.transfer }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill('goose');
    await page.getByRole('option', { name: /goose/i }).first().click();
    await dialog.getByRole('button', { name: words.transfer }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await stored()).owner, 'goose');

    await page.getByRole('tab', { name: words.tabs.triage }).click();
    await page.getByRole('checkbox', { name: words.skipRationale }).check();
    await page.getByRole('button', { name: fr.common.save }).click();
    await until('the settings are stored', async () => (await stored()).triage_settings.skip_rationale === true);

    await page.getByRole('tab', { name: new RegExp(`^${words.tabs.comments} \\d`) }).click();
    await page.getByRole('textbox', { name: words.comment }).fill('Regarder les <b>adresses</b>.');
    await page.reload();
    await page.getByRole('tab', { name: new RegExp(`^${words.tabs.comments} \\d`) }).click();
    await page.getByRole('button', { name: words.submitComment, exact: true }).click();
    await page.getByText('Regarder les <b>adresses</b>.').waitFor();
    await until('the draft is gone', async () => !(await hasDraft(page, 'analytic')));
    const [comment] = (await stored()).comment;
    assert.equal(comment.value, 'Regarder les <b>adresses</b>.');

    const reader = await pageOf(READER, 'fr');
    await reader.page.goto(`/analytics/${id}`);
    await reader.page.getByRole('tab', { name: new RegExp(`^${words.tabs.comments} \\d`) }).click();
    await reader.page.getByText('Regarder les <b>adresses</b>.').waitFor();
    for (const name of [fr.common.edit, fr.common.delete]) {
      assert.equal(await reader.page.getByRole('button', { name, exact: true }).count(), 0);
    }
    const basic = `${READER}:devkey:${READER}`;
    assert.equal((await request(`${address}/comments`, 'DELETE', [comment.id], basic)).status, 403);
    assert.equal((await request(`${address}/comments/${comment.id}`, 'PUT', { value: 'x' }, basic)).status, 403);

    await page.getByRole('button', { name: fr.common.delete, exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(words.deleteCommentText).waitFor();
    await question.getByRole('button', { name: fr.common.delete }).click();
    await page.getByText(words.noComments).waitFor();
    assert.deepEqual((await stored()).comment, []);
    for (const [path, method] of [['/api/v1/analytic/', 'POST'] as const, [address, 'DELETE'] as const]) {
      assert.ok([404, 405].includes((await request(path, method, {})).status));
    }
    assertNoOffences(offences);
    assertNoOffences(reader.offences, REFUSED_REQUESTS);
  });
});
