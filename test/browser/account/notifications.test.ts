import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { ADMIN, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, signIn, skip } from '../browser.ts';
import { storeCase } from '../cases/case-data.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

interface Shown {
  readonly title: string;
  readonly body: string;
}

describe('notifications of the desktop', { skip }, () => {
  const fixture = programFixture();

  async function createAlert(threat: string): Promise<string> {
    const alert = { 'howler.analytic': 'Logins', 'howler.outline.threat': threat };
    const [id = ''] = await storeAlerts(fixture.program, [alert]);
    return id;
  }

  async function assign(id: string, basic: string, assignee: string): Promise<void> {
    const json = { transition: 'assign_to_other', data: { assignee } };
    const answer = await fixture.program.request(`/api/v1/hit/${id}/transition`, { method: 'POST', basic, json });
    assert.equal(answer.status, 200, answer.text);
  }

  /** Replaces the notifications of a page, which has no desktop, and answers its question. */
  async function stubNotifications(page: Page, answer: NotificationPermission): Promise<void> {
    await page.addInitScript((given) => {
      const shown: Notification[] = [];
      class Stub extends EventTarget {
        static permission = localStorage.getItem('test.permission') ?? 'default';
        static requestPermission(): Promise<string> {
          localStorage.setItem('test.permission', given);
          Stub.permission = given;
          return Promise.resolve(given);
        }
        readonly title: string;
        readonly body: string;
        constructor(title: string, { body = '' }: NotificationOptions = {}) {
          super();
          this.title = title;
          this.body = body;
          shown.push(this as unknown as Notification);
        }
        close(): void {}
      }
      Object.assign(globalThis, { Notification: Stub, shownNotifications: shown });
    }, answer);
  }

  const shownOn = (page: Page): Promise<Shown[]> =>
    page.evaluate(() => {
      const shown: Shown[] = Reflect.get(globalThis, 'shownNotifications');
      return shown.map(({ title, body }) => ({ title, body }));
    });
  /** The connection of live events begins once the page wants to notify. */
  async function connected(page: Page, act: () => Promise<void>): Promise<void> {
    const connecting = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await act();
    await connecting;
  }

  it('tell of alerts that another person assigned to me, and open them', async () => {
    const [id, own] = [await createAlert('evil\u202e.example'), await createAlert('own')];
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await stubNotifications(page, 'granted');
    await signIn(page, '/settings?tab=preferences', { user: 'user' });
    const option = page.getByRole('switch', { name: /Notify me on the desktop/ });
    await assign(await createAlert('before'), ADMIN, 'user');
    await connected(page, () => option.click());
    assert.equal(await option.getAttribute('aria-checked'), 'true');
    await assign(own, 'user:devkey:user', 'user');
    await assign(id, ADMIN, 'user');
    await until('it is shown', async () => (await shownOn(page)).length > 0);
    await fixture.program.request(`/api/v1/hit/${id}/comments`, {
      ...{ method: 'POST', basic: ADMIN, json: { value: 'Please look' } },
    });
    await until('a later change arrived', async () => {
      return (await storedAlert(fixture.program, id)).comment.length === 1;
    });
    assert.deepEqual(await shownOn(page), [
      { title: 'admin assigned an alert to you', body: 'Logins\nevil[202E].example' },
    ]);
    await page.evaluate(() => {
      const [shown]: EventTarget[] = Reflect.get(globalThis, 'shownNotifications');
      shown?.dispatchEvent(new Event('click'));
    });
    await page.waitForURL(`**/alerts/${id}`);
    await page.reload();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    assertNoOffences(offences);
  });

  it('tell of tasks and cases that another person gave to me, and open the case', async () => {
    const { program } = fixture;
    const change = async (id: string, basic: string, json: object) => {
      const answer = await program.request(`/api/v2/case/${id}`, { method: 'PUT', basic, json });
      assert.equal(answer.status, 200, answer.text);
    };
    const tasks = [{ id: 'known', assignment: 'user', summary: 'Known before' }];
    const [id, own] = [await storeCase(program, { tasks }), await storeCase(program, { title: 'Own' })];
    // Off again, so that the page connects when the switch is used.
    await program.foundation.preferences.set('user', {}, undefined);
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await stubNotifications(page, 'granted');
    await signIn(page, '/settings?tab=preferences', { user: 'user' });
    const known = page.waitForResponse((response) => /search\/case/.test(response.url()) && response.ok());
    await connected(page, () => page.getByRole('switch', { name: /Notify me on the desktop/ }).click());
    await (await known).finished();
    await change(own, 'user:devkey:user', { participants: ['user'] });
    const more = [...tasks, { id: 'new', assignment: 'user', summary: 'Ask the\u202eowner' }];
    await change(id, ADMIN, { tasks: [...more, { id: 'other', assignment: 'huey', summary: 'Not mine' }] });
    await until('the task is shown', async () => (await shownOn(page)).length > 0);
    await change(id, ADMIN, { title: 'Phishing, changed' });
    await change(own, ADMIN, { participants: ['user', 'huey'] });
    await change(id, ADMIN, { participants: ['user'] });
    await until('the case is shown', async () => (await shownOn(page)).length > 1);
    assert.deepEqual(await shownOn(page), [
      { title: 'admin assigned a task to you', body: 'Phishing\nAsk the[202E]owner' },
      { title: 'admin added you to a case', body: 'Phishing, changed' },
    ]);
    await page.evaluate(() => {
      const [shown]: EventTarget[] = Reflect.get(globalThis, 'shownNotifications');
      shown?.dispatchEvent(new Event('click'));
    });
    await page.waitForURL(`**/cases/${id}`);
    assertNoOffences(offences);
  });

  it('stay off where the browser refuses, and the page says so (fr, light)', async () => {
    await using watched = await fixture.open({ theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    await stubNotifications(page, 'denied');
    await signIn(page, '/settings?tab=preferences');
    const option = page.getByRole('switch', { name: /M’avertir sur le bureau/ });
    await option.click();
    await page.getByText('Ce navigateur ne le permet pas').waitFor();
    assert.equal(await option.getAttribute('aria-checked'), 'false');
    assert.deepEqual(await accessibilityProblems(page, '#content'), []);
    await assign(await createAlert('denied'), 'user:devkey:user', 'admin');
    assert.deepEqual(await shownOn(page), []);
    assertNoOffences(offences);
  });
});
