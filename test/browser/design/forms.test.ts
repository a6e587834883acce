import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

describe('a form', { skip }, () => {
  const fixture = programFixture();

  it('keeps what was typed over a reload, and says so', async () => {
    await using gallery = await fixture.openGallery('drafts');
    const { page } = gallery;
    const form = page.getByRole('form', { name: 'Edit the draft' });
    const [title, text] = [form.getByLabel('Title of the draft'), form.getByLabel('Text of the draft')];
    const save = form.getByRole('button', { name: 'Store' });
    assert.equal(await save.isDisabled(), true, 'nothing is changed');
    await text.fill('Every 60 seconds');
    await page.reload();
    await form.getByText('You typed this before, and it is not saved yet.').waitFor();
    assert.deepEqual([await title.inputValue(), await text.inputValue()], ['Beacons', 'Every 60 seconds']);
    assert.equal(await save.isDisabled(), false);
    await form.getByRole('button', { name: 'Discard' }).press('Enter');
    assert.equal(await text.inputValue(), '');
    assert.equal(await save.isDisabled(), true);
    await page.reload();
    await title.waitFor();
    assert.equal(await form.getByText('You typed this before').count(), 0);
    assertNoOffences(gallery.offences);
  });

  it('gives what was stored before to its submission, and forgets the draft', async () => {
    await using gallery = await fixture.openGallery('drafts');
    const { page } = gallery;
    const form = page.getByRole('form', { name: 'Edit the draft' });
    await form.getByLabel('Title of the draft').fill('Tunnels');
    await form.getByRole('button', { name: 'Store' }).press('Enter');
    await page.getByText('Beacons becomes Tunnels.').waitFor();
    assert.equal(await form.getByRole('button', { name: 'Store' }).isDisabled(), true);
    await form.getByLabel('Title of the draft').fill('Scans');
    await form.getByLabel('Title of the draft').press('Enter');
    await page.getByText('Tunnels becomes Scans.').waitFor();
    await page.reload();
    await form.waitFor();
    assert.equal(await form.getByText('You typed this before').count(), 0);
    assertNoOffences(gallery.offences);
  });

  it('takes the mark off a field that is changed, and leaves the others', async () => {
    await using gallery = await fixture.openGallery('forms');
    const { page } = gallery;
    const query = page.getByLabel('Query of the view');
    await page.getByLabel('Name of the view').fill('Malware');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('The query has an open bracket.').waitFor();
    await page.getByLabel('Name of the view').fill('Malware again');
    assert.equal(await query.getAttribute('aria-invalid'), 'true');
    await query.fill('event.id:*');
    assert.equal(await query.getAttribute('aria-invalid'), null);
    assert.equal(await page.getByText('The query has an open bracket.').count(), 0);
  });
});
