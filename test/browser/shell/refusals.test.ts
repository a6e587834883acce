import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';

const ADMIN = 'admin:devkey:admin';
const ERROR_ID = '3f2b8c1e-5a6d-4e7f-8a9b-0c1d2e3f4a5b';

describe('a refused request', { skip }, () => {
  const fixture = programFixture();
  let id = '';
  before(async () => {
    const json = [{ 'howler.analytic': 'Refused', 'howler.outline.summary': 'An alert' }];
    const made = await fixture.program.request('/api/v1/hit?refresh=true', { method: 'POST', basic: ADMIN, json });
    id = made.json.api_response.valid[0].howler.id;
  });

  /** Answers requests for a path in another way, until `end` is called. */
  async function answering(page: Page, path: RegExp, answer: Parameters<Route['fulfill']>[0]) {
    let count = 0;
    await page.route(path, (route) => {
      count += 1;
      return route.fulfill(answer);
    });
    return { end: () => page.unroute(path), count: () => count };
  }

  it('marks the place in the query bar, and in the field of a form', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page, offences } = watched;
    await page.getByRole('row', { name: /An alert/ }).waitFor();
    const refusal = {
      ...{ status: 400, headers: { 'x-error-code': 'invalid_query', 'x-error-at': '8' } },
      json: { api_error_message: 'The server refuses this word.' },
    };
    const search = await answering(page, /api\/v2\/search\/hit/, refusal);
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('message:word');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByText('The server refuses this word.').first().waitFor();
    await page.locator('.q-problem', { hasText: 'word' }).waitFor();
    await search.end();

    const saving = await answering(page, /api\/v1\/view\//, {
      ...{ status: 400, headers: { 'x-error-code': 'invalid_document', 'x-error-at': 'title' } },
      json: { api_error_message: 'The title is taken.' },
    });
    await page.getByRole('button', { name: 'Save as a view' }).click();
    const title = page.getByRole('textbox', { name: 'Name of the view' });
    await title.fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The title is taken.').waitFor();
    assert.equal(await title.getAttribute('aria-invalid'), 'true');
    assert.equal(await title.inputValue(), 'Mine');
    await saving.end();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The view “Mine” was saved.').waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  for (const [language, words] of [
    ['en', 'You may not do this. This session was opened with the API key “readonly”, which has the privileges Read.'],
    ['fr', 'Cette session a été ouverte avec la clé d’API « readonly », qui a les privilèges Lecture.'],
  ] as const) {
    it(`names the right that the key of a session lacks, and keeps what was typed (${language})`, async () => {
      await using watched = await fixture.open({ language });
      const { page, offences } = watched;
      await page.goto('/');
      const status = await page.evaluate(async () => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ method: 'apikey', user: 'admin', apikey: 'readonly:admin' });
        return (await fetch('/session', { method: 'POST', headers, body })).status;
      });
      assert.equal(status, 200);
      await page.goto(`/alerts/${id}?tab=comments`);
      const field = page.locator('#content textarea');
      await field.fill('Typed words');
      await page.keyboard.press('Control+Enter');
      await page.getByText(words).first().waitFor();
      assert.equal(await field.inputValue(), 'Typed words');
      assertNoOffences(offences, REFUSED_REQUESTS);
    });
  }

  it('names the user type that an account lacks', async () => {
    await using watched = await fixture.openSignedIn('/administration/jobs', { as: { user: 'user' } });
    await watched.page.getByText('Your account does not have the user type admin.').waitFor();
    const problem = await watched.page.evaluate(async () => {
      const answer = await fetch('/services/operations/v1/jobs');
      return [answer.status, answer.headers.get('x-error-needs')];
    });
    assert.deepEqual(problem, [403, 'admin']);
  });

  for (const status of [429, 503]) {
    it(`counts down after ${status} with Retry-After, continues by itself, and keeps what was typed`, async () => {
      await using watched = await fixture.openSignedIn('/alerts');
      const { page, offences } = watched;
      await page.getByRole('row', { name: /An alert/ }).waitFor();
      const busy = await answering(page, /api\/v2\/search\/hit/, {
        ...{ status, headers: { 'retry-after': '3' }, json: { api_error_message: 'Busy.' } },
      });
      await page.keyboard.press('/');
      await page.locator('.cm-focused').waitFor();
      await page.keyboard.type('howler.analytic:Refused');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      const line = page.getByRole('status').filter({ hasText: 'The server is busy.' });
      const seconds = new Set<string>();
      await until('the seconds are counted', async () => {
        const [text = ''] = await line.allTextContents();
        if (text !== '') seconds.add(text);
        return seconds.size > 1;
      });
      assert.ok(busy.count() > 0);
      await busy.end();
      await line.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /An alert/ }).waitFor();
      await page.locator('.cm-content', { hasText: 'howler.analytic:Refused' }).waitFor();
      assertNoOffences(offences, REFUSED_REQUESTS);
    });
  }

  it('gives the error id to copy after a fault, and the page beside it works', async () => {
    await using watched = await fixture.openSignedIn('/views');
    const { page, context, offences } = watched;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const fault = await answering(page, /api\/v1\/template\/$/, {
      ...{ status: 500, json: { api_error_message: `Something failed. Error ID ${ERROR_ID}` } },
    });
    await page.getByRole('link', { name: 'Templates' }).first().click();
    await page.getByRole('button', { name: 'Copy the error ID' }).click();
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), ERROR_ID);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await fault.end();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
