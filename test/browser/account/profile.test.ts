import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the own profile', { skip }, () => {
  const fixture = programFixture();

  it('has another name, and a picture that is set and removed', async () => {
    await using watched = await fixture.openSignedIn('/settings', { as: { user: 'user' } });
    const { page, offences } = watched;
    const form = page.getByRole('form', { name: 'Name' });
    const change = form.getByRole('button', { name: 'Change the name' });
    const stored = () => fixture.program.foundation.users.get('user');
    const before = (await stored())?.name;
    await form.getByLabel('Name').fill(' ');
    await change.click();
    await form.getByText('This field is required.').waitFor();
    assert.equal((await stored())?.name, before);
    await form.getByLabel('Name').fill('Ursula Franklin');
    await change.click();
    await page.getByText('The name was changed.').waitFor();
    assert.equal((await stored())?.name, 'Ursula Franklin');

    const picture = page.getByLabel('Picture');
    const remove = page.getByRole('button', { name: 'Remove the picture' });
    const drawn = page.locator('main img[src^="data:image/png"]');
    const removeIt = async () => {
      await remove.click();
      await remove.waitFor({ state: 'detached' });
      await drawn.waitFor({ state: 'detached' });
      assert.equal(await picture.evaluate((field) => field === document.activeElement), true);
    };
    // The accounts of the demo have pictures.
    await removeIt();
    const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await picture.setInputFiles(file);
    await remove.waitFor();
    await drawn.waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await removeIt();
    // The same file may be chosen again.
    await picture.setInputFiles(file);
    await remove.waitFor();
    assertNoOffences(offences);
  });
});
