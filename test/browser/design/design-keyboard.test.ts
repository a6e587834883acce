import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { programFixture, skip } from '../browser.ts';

describe('the components by keyboard', { skip }, () => {
  const fixture = programFixture();

  it('open a menu, walk it, enter a submenu, and return the focus', async () => {
    await using gallery = await fixture.openGallery('overlays');
    const { page } = gallery;
    const trigger = page.getByRole('button', { name: 'Commands' });
    await trigger.press('Enter');
    await focusOn(page.getByRole('menuitem', { name: 'Copy' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await focusOn(page.getByRole('menuitemcheckbox', { name: 'Live' }));
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('menuitemcheckbox', { name: 'Live' }).getAttribute('aria-checked'), 'false');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await focusOn(page.getByRole('menuitem', { name: 'Legitimate' }));
    await page.keyboard.press('ArrowLeft');
    await focusOn(page.getByRole('menuitem', { name: 'Assess' }));
    await page.keyboard.press('d');
    await focusOn(page.getByRole('menuitem', { name: 'Delete' }));
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await focusOn(trigger);
  });

  it('open a menu and a popover that were pressed before they were loaded', async () => {
    for (const [part, name, role] of [
      ['menu-parts', 'Commands', 'menu'],
      ['popover-surface', 'Filter', 'dialog'],
    ] as const) {
      await using watched = await fixture.open();
      const { page } = watched;
      const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
      await page.route(`**/assets/${part}-*.js`, async (route) => {
        await isPressed;
        await route.continue();
      });
      await page.goto('/gallery.html?section=overlays');
      const trigger = page.getByRole('button', { name, exact: true });
      await trigger.press('Enter');
      await focusOn(trigger);
      assert.equal(await trigger.getAttribute('aria-expanded'), 'false');
      press();
      const surface = page.getByRole(role);
      await surface.waitFor();
      assert.equal(await trigger.getAttribute('aria-expanded'), 'true');
      if (role === 'menu') await focusOn(page.getByRole('menuitem', { name: 'Copy' }));
      await page.keyboard.press('Escape');
      await surface.waitFor({ state: 'hidden' });
      await focusOn(trigger);
    }
  });

  it('start a dialogue without fields at no tooltip, and go to the control that loads first', async () => {
    await using gallery = await fixture.openGallery('overlays');
    const { page } = gallery;
    const dialog = page.getByRole('dialog', { name: 'The address of the view' });
    const tooltip = page.getByText(/^Close\s*Esc$/);
    const load = (name: string) =>
      page.evaluate((text) => {
        const button = document.createElement('button');
        button.textContent = text;
        document.querySelector('[data-content]')?.append(button);
      }, name);
    const open = async () => {
      await page.getByRole('button', { name: 'Read …' }).press('Enter');
      await focusOn(dialog);
    };
    await open();
    await page.keyboard.press('Tab');
    await focusOn(dialog.getByRole('button', { name: 'Close' }));
    await tooltip.waitFor();
    await load('Late');
    await page.keyboard.press('Tab');
    await focusOn(dialog.getByRole('button', { name: 'Copy the address' }));
    await tooltip.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await open();
    assert.equal(await tooltip.count(), 0);
    await load('Loaded');
    await focusOn(dialog.getByRole('button', { name: 'Loaded' }));
    await load('Later');
    await focusOn(dialog.getByRole('button', { name: 'Loaded' }));
    assert.equal(await tooltip.count(), 0);
  });

  it('keep the focus inside a dialogue, and give it back', async () => {
    await using gallery = await fixture.openGallery('overlays');
    const { page } = gallery;
    const trigger = page.getByRole('button', { name: 'Rename …' });
    await trigger.press('Enter');
    const dialog = page.getByRole('dialog');
    await focusOn(dialog.getByLabel('New name'));
    for (let index = 0; index < 8; index += 1) {
      await page.keyboard.press(index % 3 === 0 ? 'Shift+Tab' : 'Tab');
      assert.equal(await dialog.locator(':focus').count(), 1);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await focusOn(trigger);
  });

  it('begin a dangerous question on Cancel, and show in it why it failed', async () => {
    await using gallery = await fixture.openGallery('overlays');
    const { page } = gallery;
    await page.getByRole('button', { name: 'Delete …' }).press('Enter');
    const dialog = page.getByRole('alertdialog');
    await focusOn(dialog.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('The view is locked.').waitFor();
    await page.mouse.click(2, 2);
    assert.equal(await dialog.isVisible(), true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('choose in a select by letters and arrows', async () => {
    await using gallery = await fixture.openGallery('fields');
    const { page } = gallery;
    const select = page.getByRole('combobox', { name: 'Status' });
    await select.press('ArrowDown');
    await page.getByRole('option', { name: 'In progress' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    assert.match(String(await select.textContent()), /In progress/);
    await focusOn(select);
  });

  it('narrow the options of a combobox, and say how many were left out', async () => {
    await using gallery = await fixture.openGallery('fields');
    const { page } = gallery;
    const input = page.getByRole('combobox', { name: 'Label', exact: true });
    await input.press('ArrowDown');
    await page.getByText('150 more.').waitFor();
    await input.fill('campaign-12');
    await page.getByRole('option', { name: 'campaign-129' }).waitFor();
    assert.equal(await page.getByRole('option').count(), 11);
    await input.fill('campaign-129');
    await input.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    assert.equal(await input.inputValue(), 'campaign-129');
  });

  it('add and remove chips', async () => {
    await using gallery = await fixture.openGallery('fields');
    const { page } = gallery;
    const input = page.getByRole('combobox', { name: 'Labels', exact: true });
    await input.pressSequentially('campaign-9');
    await page.getByRole('option', { name: 'campaign-9', exact: true }).waitFor();
    await input.press('Enter');
    await page.getByRole('button', { name: 'Remove campaign-9', exact: true }).waitFor();
    await input.pressSequentially('made up');
    await page.getByRole('option', { name: 'made up' }).waitFor();
    await input.press('Enter');
    await page.getByRole('button', { name: 'Remove made up' }).waitFor();
    await input.press('Backspace');
    await page.getByRole('button', { name: 'Remove made up' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Remove phishing' }).count(), 1);
  });

  it('walk tabs by arrows, and skip what is disabled', async () => {
    await using gallery = await fixture.openGallery('layout');
    const { page } = gallery;
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('Fields of the alert.').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByText('Cases of the alert.').count(), 0);
  });

  it('resize panes, and remember the size', async () => {
    await using gallery = await fixture.openGallery('layout');
    const { page } = gallery;
    const handle = page.getByRole('separator', { name: 'Size of List' });
    await handle.press('ArrowRight');
    await handle.press('ArrowRight');
    assert.equal(await handle.getAttribute('aria-valuenow'), '44');
    await page.reload();
    assert.equal(await handle.getAttribute('aria-valuenow'), '44');
    const box = await handle.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 100_000, box.y + 20);
    await page.mouse.up();
    assert.equal(await handle.getAttribute('aria-valuenow'), '90');
    await handle.press('Home');
    assert.equal(await handle.getAttribute('aria-valuenow'), '10');
  });

  it('submit a form once, and put the focus on the field that was refused', async () => {
    await using gallery = await fixture.openGallery('forms');
    const { page } = gallery;
    const name = page.getByLabel('Name of the view');
    const query = page.getByLabel('Query of the view');
    await name.fill('Malware');
    // Two presses in the same instant, regardless of the speed of the machine.
    await page.locator('form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await page.getByText('The query has an open bracket.').waitFor();
    await focusOn(query);
    assert.equal(await query.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('html').getAttribute('data-submissions'), '1');

    await query.fill('event.id:*');
    await name.fill('fault');
    await name.press('Enter');
    await page.getByText('0f8fad5b-d9cb-469f-a165-70867728950e').waitFor();

    await name.fill('');
    await name.press('Enter');
    await page.getByText('A view needs a name.').waitFor();
    await focusOn(name);
    assert.equal(await page.locator('html').getAttribute('data-submissions'), '2');

    await name.fill('Malware');
    await name.press('Enter');
    await page.getByText('Saved “Malware”.').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  });

  it('reach a toast by F6 and run its action', async () => {
    await using gallery = await fixture.openGallery('overlays');
    const { page } = gallery;
    await page.getByRole('button', { name: 'With an action' }).press('Enter');
    const undo = page.getByRole('button', { name: /Undo/ });
    await undo.waitFor();
    await page.keyboard.press('F6');
    for (let index = 0; index < 3 && !(await hasFocus(undo)); index += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Written back.').first().waitFor();
    await undo.waitFor({ state: 'detached' });
  });

  it('keep a fault inside its part, and try again', async () => {
    await using gallery = await fixture.openGallery('states');
    const { page } = gallery;
    await page.getByRole('button', { name: 'Break this part' }).press('Enter');
    await page.getByText('The record has a shape that this page does not know.').waitFor();
    assert.equal(await page.getByText('No alert matches this query.').isVisible(), true);
    await page.getByRole('button', { name: 'Try again' }).last().press('Enter');
    await page.getByRole('button', { name: 'Break this part' }).waitFor();
  });
});

type Locator = ReturnType<Page['locator']>;

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement);
}

/** Waits until an element has the focus. */
async function focusOn(element: Locator): Promise<void> {
  await element.waitFor();
  await element.evaluate((node) =>
    node === document.activeElement
      ? undefined
      : new Promise<void>((resolve) => node.addEventListener('focus', () => resolve(), { once: true })),
  );
}
