import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itemOfV1, itemOfV2 } from '../alerts/search/item-shape.ts';
import { hitDocument } from '../documents/kinds/hit.ts';
import { userDocument } from '../documents/kinds/user.ts';
import {
  fitsPattern,
  namesSecret,
  selectExactly,
  selectSource,
  splitFieldList,
  withoutSecretFields,
} from './field-selection.ts';

const hit = {
  __access_lvl__: 100,
  file: { name: 'a.bin', size: 3 },
  labels: { owner: 'soc' },
  tags: ['x'],
  howler: {
    id: 'h1',
    comment: [
      { value: 'one', user: 'ana' },
      { value: 'two', user: 'ben' },
    ],
    links: [],
    data: ['raw'],
  },
};

describe('the fields that a search shows', () => {
  it('shows the named fields, and of lists of objects the named fields of each entry', () => {
    assert.deepEqual(selectExactly(hitDocument, hit, ['file.size', 'howler.comment.value', 'no.such']), {
      file: { size: 3 },
      howler: { comment: [{ value: 'one' }, { value: 'two' }] },
    });
  });

  it('shows an empty object for the name of an object in version 1, all of it in version 2', () => {
    assert.deepEqual(selectExactly(hitDocument, hit, ['file']), { file: {} });
    assert.deepEqual(selectSource(hit, ['file']), { file: hit.file });
  });

  it('lets a star stand for any text', () => {
    assert.deepEqual(selectExactly(hitDocument, hit, ['*.id']), { howler: { id: 'h1' } });
    assert.deepEqual(selectExactly(hitDocument, hit, ['file.*']), { file: hit.file });
    assert.deepEqual(selectSource(hit, ['*.size', 'tag*']), { file: { size: 3 }, tags: ['x'] });
    assert.deepEqual(Object.keys(selectExactly(hitDocument, hit, ['*'])), ['file', 'labels', 'tags', 'howler']);
  });

  it('leaves lists out of which nothing is left', () => {
    assert.deepEqual(selectExactly(hitDocument, hit, ['howler.links.href']), {});
  });

  it('shows mappings whole', () => {
    assert.deepEqual(selectExactly(hitDocument, hit, ['labels']), { labels: { owner: 'soc' } });
  });

  it('matches patterns in time that grows with their length alone', () => {
    assert.equal(fitsPattern(`${'*a'.repeat(2000)}*b`, 'a'.repeat(4000)), false);
    assert.ok(fitsPattern('how*.*id', 'howler.my.id'));
    assert.ok(!fitsPattern('id', 'howler.id'));
  });

  it('reads lists of names leniently', () => {
    assert.deepEqual(splitFieldList(' a , b.c,,'), ['a', 'b.c']);
    assert.equal(splitFieldList(''), undefined);
  });
});

describe('secrets of users', () => {
  const user = {
    uname: 'ana',
    name: 'Ana',
    password: 'hash',
    apikeys: { k: { password: 'hash' } },
    access_control: 'x',
    otp_sk: 'hash',
    security_tokens: { phone: 'hash' },
    apps: { hash: { client_id: 'robot' } },
    identity_id: 'x',
    dn: 'x',
  };

  it('are in no item', () => {
    for (const item of [
      itemOfV1(userDocument, { id: 'ana', document: user }),
      itemOfV1(userDocument, { id: 'ana', document: user }, ['*']),
      itemOfV1(userDocument, { id: 'ana', document: user }, ['password', 'apikeys', 'uname']),
      itemOfV1(userDocument, { id: 'ana', document: user }, ['otp_sk', 'apps', 'security_tokens', 'identity_id', 'dn']),
      itemOfV2(userDocument, { id: 'ana', document: user }),
      itemOfV2(userDocument, { id: 'ana', document: user }, ['apikeys.*', 'pass*']),
    ]) {
      assert.doesNotMatch(JSON.stringify(item), /hash|"x"/);
    }
  });

  it('are fields that do not exist for queries', () => {
    const { fieldByPath, fields } = withoutSecretFields(userDocument);
    assert.ok(fieldByPath.has('uname'));
    assert.deepEqual(
      fields.filter((field) =>
        /password|apikeys|access_control|otp_sk|security_tokens|apps|identity_id|^dn/.test(field.path),
      ),
      [],
    );
  });

  it('are named by patterns too', () => {
    for (const path of [
      'password',
      'apikeys.devkey.password',
      'pass*',
      '*',
      '*.password',
      'api*.x',
      'access_control',
    ]) {
      assert.ok(namesSecret(userDocument, path), path);
    }
    for (const path of ['uname', 'name*', 'email', 'passwords']) assert.ok(!namesSecret(userDocument, path), path);
    assert.ok(!namesSecret(hitDocument, 'password'));
  });

  it('leave the name by which the web interface finds a user', () => {
    assert.equal(itemOfV1(userDocument, { id: 'ana', document: user }).username, 'ana');
  });
});
