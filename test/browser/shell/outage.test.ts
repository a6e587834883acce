import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebSocketRoute } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { programFixture, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('a page whose server is away', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  it('reads go on without the user after a long outage, in pages and in the list of alerts', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page } = watched;
    await page.getByRole('row').nth(1).waitFor();
    await page.clock.install();
    let probes = 0;
    await page.route(/\/(?:services\/.*|session)$/, (route) => {
      if (route.request().url().endsWith('/session')) probes += 1;
      return route.abort();
    });
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('howler.status:open');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    const line = page.getByRole('status').filter({ hasText: 'The server does not answer.' });
    await line.waitFor();
    // More than a minute of the page: the line asks again and again, and nothing gives up.
    for (const wanted of [2, 3, 4, 5, 6, 7]) {
      await page.clock.fastForward(20_000);
      await until('the server is asked again', () => probes >= wanted);
    }
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.unrouteAll();
    await page.clock.fastForward(20_000);
    await line.waitFor({ state: 'detached' });
    await page.getByRole('row').nth(1).waitFor();
    await page.locator('.cm-content', { hasText: 'howler.status:open' }).waitFor();
  });

  it('says that live updates are interrupted, until the socket is back', async () => {
    await using watched = await fixture.open();
    const { page } = watched;
    const sockets: WebSocketRoute[] = [];
    let isCut = false;
    await page.routeWebSocket(/\/socket\/v1\/connect$/, (socket) => {
      if (isCut) return void socket.close();
      socket.connectToServer();
      sockets.push(socket);
    });
    await signIn(page, '/alerts');
    await page.getByRole('row').nth(1).waitFor();
    await until('it listens', () => sockets.length > 0);
    isCut = true;
    for (const socket of sockets) await socket.close();
    const line = page.getByRole('status').filter({ hasText: 'Live updates are interrupted.' });
    await line.waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    isCut = false;
    await line.waitFor({ state: 'detached' });
    assert.ok(sockets.length > 1);
  });
});
