import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, alertsOf, countAlerts, listOf, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const COLLEAGUE = 'user:devkey:user';

describe('triage', { skip }, () => {
  const fixture = programFixture();

  async function move(id: string, transition: string, data: object = {}) {
    const json = { transition, data };
    const answer = await fixture.program.request(`/api/v1/hit/${id}/transition`, {
      method: 'POST',
      basic: COLLEAGUE,
      json,
    });
    assert.equal(answer.status, 200, answer.text);
  }

  /** Signs in and opens the list of the alerts of an analytic, which the rows are there of. */
  async function openList(page: Page, analytic: string): Promise<void> {
    await signIn(page, listOf(analytic));
    await page.getByRole('row').nth(1).waitFor();
  }

  /** Cuts the live events, so that the page keeps showing what it read. */
  async function withoutLiveEvents(context: BrowserContext): Promise<void> {
    await context.routeWebSocket(/socket/, (socket) => void socket.close());
  }

  it('of ten alerts needs the keyboard alone, and the last one is undone', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Keyboard', 10));
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openList(page, 'Keyboard');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    for (const [index] of ids.entries()) {
      await page
        .getByRole('region', { name: 'Alert', exact: true })
        .getByText(`Alert ${index}`, { exact: true })
        .waitFor();
      await page.keyboard.press(index === 9 ? 'a' : 'n');
      await page.getByRole('dialog', { name: /^Assess / }).waitFor();
      if (index === 0) assert.deepEqual(await accessibilityProblems(page), []);
      await page.keyboard.press('f');
      await page.keyboard.type(`Seen before, ${index}`);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: /^Assess / }).waitFor({ state: 'detached' });
    }
    await until(
      'ten verdicts are stored',
      async () =>
        (await countAlerts(fixture.program, 'howler.analytic:"Keyboard" AND howler.assessment:false-positive')) === 10,
    );
    assert.equal((await storedAlert(fixture.program, ids[3] ?? '')).rationale, 'Seen before, 3');
    await page.getByText('Assessed: False positive.').first().waitFor();
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    const { status, assignment, assessment, log } = await storedAlert(fixture.program, ids[9] ?? '');
    assert.deepEqual([status, assignment, assessment], ['open', 'unassigned', undefined]);
    assert.ok(
      log.some(({ key, new_value }: Record<string, string>) => key === 'howler.status' && new_value === 'open'),
    );
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('takes a change back on another page, once', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Elsewhere', 1));
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openList(page, 'Elsewhere');
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    await page.getByRole('button', { name: /^Undo/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.equal((await storedAlert(fixture.program, id)).assignment, 'unassigned');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys of this page' });
    await help.getByText('Go to Alerts').waitFor();
    assert.equal(await help.getByText('Undo').count(), 0);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('shows both versions of a conflict, and writes the own one when it is chosen', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Conflict', 1));
    await using watched = await fixture.open();
    const { page, context, offences } = watched;
    await withoutLiveEvents(context);
    await openList(page, 'Conflict');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Fields' }).waitFor();
    await move(id, 'assess', { assessment: 'legitimate', rationale: 'Ours' });
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: /^Assess / }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Typed by hand');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Someone changed this alert meanwhile' });
    await dialog.waitFor();
    const words = await dialog.textContent();
    assert.match(words ?? '', /Resolved · Legitimate · user/);
    assert.match(words ?? '', /Compromise: Typed by hand/);
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.equal((await storedAlert(fixture.program, id)).assessment, 'legitimate');
    await page.getByRole('button', { name: 'Apply mine' }).press('Enter');
    await until(
      'the own verdict is stored',
      async () => (await storedAlert(fixture.program, id)).assessment === 'compromise',
    );
    assert.equal((await storedAlert(fixture.program, id)).rationale, 'Typed by hand');
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('refuses an undo of what a colleague changed since', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Overtaken', 1));
    await using watched = await fixture.open();
    const { page } = watched;
    await openList(page, 'Overtaken');
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    // The offer to undo comes with the answer.
    await page.getByText('The alert is yours.').first().waitFor();
    assert.equal((await storedAlert(fixture.program, id)).assignment, 'admin');
    await move(id, 'assign_to_me');
    await page.keyboard.press('u');
    await page.getByRole('alert').getByText('Not undone: user changed the alert since.').waitFor();
    assert.equal((await storedAlert(fixture.program, id)).assignment, 'user');
  });

  it('of 200 alerts leaves out the one that a colleague was faster with, says so, and is undone as one', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Bulk', 200));
    await using watched = await fixture.open();
    const { page, context, offences } = watched;
    await withoutLiveEvents(context);
    await openList(page, 'Bulk');
    await page.keyboard.press('Control+a');
    await page.getByText('200 selected').waitFor();
    await move(ids[5] ?? '', 'assess', { assessment: 'legitimate' });
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: /^Assess / }).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    await page.getByText('199 of 200 done. 1 failed.').waitFor();
    // Before the report is read, because an undo is offered for ten seconds.
    assert.equal(await countAlerts(fixture.program, 'howler.analytic:"Bulk" AND howler.assessment:recon'), 199);
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.equal(await countAlerts(fixture.program, 'howler.analytic:"Bulk" AND howler.status:open'), 199);
    assert.equal((await storedAlert(fixture.program, ids[5] ?? '')).assessment, 'legitimate');
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('shows what a second browser does, and who else looks at an alert', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Second', 1));
    await using first = await fixture.open();
    await openList(first.page, 'Second');
    await first.page.keyboard.press('j');
    await first.page.keyboard.press('Enter');
    const pane = first.page.getByRole('region', { name: 'Alert', exact: true });
    await pane.getByText('Open', { exact: true }).waitFor();
    await until('the viewer is known', async () => {
      const { json } = await fixture.program.request(`/socket/v1/viewers/${id}`, { basic: ADMIN });
      return json.api_response.includes('admin');
    });
    await move(id, 'assign_to_me');
    await pane.getByText('In progress', { exact: true }).waitFor();
    assertNoOffences(first.offences, REFUSED_REQUESTS);
  });

  it('keeps a comment that was not sent over a reload, and shows markup as text', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Comment', 1));
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openList(page, 'Comment');
    await page.goto(`/alerts/${id}`);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await page.keyboard.press('c');
    const field = page.getByRole('textbox', { name: 'Comment' });
    await field.waitFor();
    await until('the field has the focus', () => field.evaluate((element) => element === document.activeElement));
    await page.keyboard.type('<img src=x onerror=alert(1)> seen');
    await page.reload();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await page.keyboard.press('c');
    await field.waitFor();
    assert.equal(await field.inputValue(), '<img src=x onerror=alert(1)> seen');
    await field.press('Control+Enter');
    await page.getByText('Commented.').waitFor();
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.locator('img[src=x]').count(), 0);
    assert.equal((await storedAlert(fixture.program, id)).comment.length, 1);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('draws a record of megabytes with thousands of comments in parts, and hostile values as text', async () => {
    const hostile = '<script>alert(1)</script>{{#each this}}{{/each}}\u202etxt.exe';
    const comments = Array.from({ length: 10_000 }, (_, index) => ({ value: `Remark ${index}`, user: 'ana' }));
    const record = {
      'howler.analytic': 'Large',
      'howler.outline.summary': hostile,
      'howler.data': [JSON.stringify({ text: 'x'.repeat(2_000_000) })],
      'howler.comment': comments,
      labels: Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field_${index}`, hostile])),
    };
    const [id = ''] = await storeAlerts(fixture.program, [record]);
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openList(page, 'Large');
    await page.goto(`/alerts/${id}`);
    for (const name of ['Fields', 'JSON', 'Comments', 'History', 'Related', 'Analytic', 'Cases', 'Overview']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).waitFor();
      const elements = await page.evaluate(() => document.querySelectorAll('*').length);
      assert.ok(elements < 15_000, `${name}: ${elements} elements`);
    }
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('offers to undo by the keys that the person chose, and by none where single keys are off', async () => {
    await storeAlerts(fixture.program, alertsOf('Own keys', 2));
    for (const [keys, shown] of [
      [{ singleKeys: true, changed: { undo: 'z' } }, ['z']],
      [{ singleKeys: false, changed: {} }, []],
    ] as const) {
      await using watched = await fixture.openSignedIn('/settings', { as: { user: 'user' } });
      const { page } = watched;
      // The page keeps its own times of visits, so that a version may be an old one by then.
      await until('the keys are kept', () =>
        page.evaluate(async (chosen) => {
          const address = '/session/preferences';
          const before = await fetch(address);
          const body = JSON.stringify({ ...(await before.json()), keys: chosen });
          const headers = { 'content-type': 'application/json', 'if-match': before.headers.get('etag') ?? '' };
          return (await fetch(address, { method: 'PUT', headers, body })).ok;
        }, keys),
      );
      await page.goto(listOf('Own keys'));
      await page.getByRole('row').nth(1).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Alert', exact: true }).getByRole('button', { name: /^Take/ }).click();
      const undo = page.getByRole('button', { name: /^Undo/ });
      await undo.waitFor();
      assert.deepEqual(await undo.locator('kbd').allTextContents(), shown);
      await undo.click();
      await page.getByText('Undone.').waitFor();
    }
  });

  it('says that an alert is gone, in the list and at its address', async () => {
    const [id = ''] = await storeAlerts(fixture.program, alertsOf('Gone', 1));
    await using watched = await fixture.open();
    const { page } = watched;
    await openList(page, 'Gone');
    await page.keyboard.press('j');
    await fixture.program.request('/api/v1/hit', { method: 'DELETE', basic: ADMIN, json: [id] });
    await page.keyboard.press('s');
    await page.getByRole('alert').getByText('The alert was deleted').waitFor();
    await page.goto(`/alerts/${id}`);
    await page.getByText('This alert was not found').waitFor();
  });

  for (const [theme, language] of [
    ['dark', 'en'],
    ['light', 'fr'],
  ] as const) {
    it(`is accessible in each part of an alert (${theme}, ${language})`, async () => {
      const [id = ''] = await storeAlerts(fixture.program, alertsOf('Accessible', 1));
      await move(id, 'assess', { assessment: 'recon', rationale: 'Seen' });
      const json = { value: 'Seen **before**' };
      await fixture.program.request(`/api/v1/hit/${id}/comments`, { method: 'POST', basic: COLLEAGUE, json });
      await using watched = await fixture.openSignedIn(`/alerts/${id}`, { theme, language });
      const { page, offences } = watched;
      const tabs = page.getByRole('tab');
      await tabs.first().waitFor();
      for (let index = 0; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        await page.getByRole('tabpanel').waitFor();
        assert.deepEqual(await accessibilityProblems(page, '#content'), [], `tab ${index}`);
      }
      assertNoOffences(offences, REFUSED_REQUESTS);
    });
  }
});
