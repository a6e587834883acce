import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const ERROR_ID = '3f2b8c1e-5a6d-4e7f-8a9b-0c1d2e3f4a5b';
const SESSION = /\/session$/;

describe('the start of the program', { skip }, () => {
  const fixture = programFixture();

  /** Answers the session in another way, loads the page again, and returns what ends that. */
  async function reloadedWith(page: Page, answer: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
    await page.route(SESSION, answer);
    await page.reload();
    return () => page.unroute(SESSION);
  }
  const settings = (page: Page) => page.getByRole('heading', { level: 1, name: 'Settings' });

  it('counts down while nothing answers, and continues without its user', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    const end = await reloadedWith(page, (route) => route.abort());
    const line = page.getByRole('status').filter({ hasText: 'The server does not answer.' });
    await line.getByText('Next try in').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await end();
    await page.getByRole('button', { name: 'Try now' }).click();
    await settings(page).waitFor();
    await line.waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('counts down while the server asks for a pause (fr, light)', async () => {
    await using watched = await fixture.openSignedIn('/settings', { theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    const json = { error: { code: 'sessions_unavailable', message: 'Sessions cannot be checked now.' } };
    const busy = { status: 503, headers: { 'retry-after': '2' }, json };
    const end = await reloadedWith(page, (route) => route.fulfill(busy));
    const line = page.getByRole('status').filter({ hasText: 'Le serveur est occupé.' });
    await line.getByText('Prochain essai dans').waitFor();
    await line.getByText('Sessions cannot be checked now.').waitFor();
    await end();
    await page.getByRole('heading', { level: 1, name: 'Réglages' }).waitFor();
    await line.waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('says a fault with its id, and tries again when it is asked to', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    const json = { error: { code: 'internal_error', message: 'An internal error occurred.', error_id: ERROR_ID } };
    const end = await reloadedWith(page, (route) => route.fulfill({ status: 500, json }));
    const panel = page.getByRole('alert');
    await panel.getByText('Triad could not start.').waitFor();
    await panel.getByText(ERROR_ID).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await end();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await settings(page).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('says that a file of the program did not load, and loads it again', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    const files = /\/assets\/(?:frame|application)-[^/]*\.js$/;
    await page.route(files, (route) => route.fulfill({ status: 404 }));
    await page.reload();
    const panel = page.getByRole('alert');
    await panel.getByText('A part of this page did not load.').waitFor();
    await panel.getByRole('button', { name: 'Reload the page' }).waitFor();
    await page.unroute(files);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await settings(page).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('shows the sign-in of a new browser in its words, when the server is back', async () => {
    await using watched = await fixture.open({ language: 'fr' });
    const { page, offences } = watched;
    await page.route(SESSION, (route) => route.abort());
    await page.goto('/');
    await page.getByRole('status').getByText('Le serveur ne répond pas.').waitFor();
    await page.unroute(SESSION);
    await page.getByLabel('Nom d’utilisateur').waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
