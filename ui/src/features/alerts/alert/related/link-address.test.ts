import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LinkTemplate, linkAddress } from './link-address.ts';

const values = new Map([
  ['source.ip', '203.0.113.7'],
  ['user.name', 'a\ud800b'],
]);
const of = (text: string, mappings: LinkTemplate['mappings'] = []) => linkAddress({ text, mappings }, values);

describe('the address of a link of a dossier', () => {
  it('is filled by keys, by fields, and by fixed values', () => {
    const mappings = [
      { key: 'ip', field: 'source.ip' },
      { key: 'who', field: 'custom', custom_value: 'a/b' },
    ];
    assert.deepEqual(of('https://t.example/{{ ip }}/{{{who}}}/{{source.ip}}', mappings), {
      kind: 'link',
      href: 'https://t.example/203.0.113.7/a%2Fb/203.0.113.7',
    });
  });

  it('is made of values that are no whole characters, too', () => {
    assert.deepEqual(of('https://t.example/{{user.name}}'), {
      kind: 'link',
      href: 'https://t.example/a%EF%BF%BDb',
    });
  });

  it('says why there is none', () => {
    assert.deepEqual(of('https://{{source.ip}}/'), { kind: 'no_host' });
    assert.deepEqual(of('javascript:alert(1)'), { kind: 'no_host' });
    assert.deepEqual(of('https://t.example/{{ip}}', [{ key: 'ip', field: 'destination.ip' }]), {
      kind: 'no_value',
      name: 'ip',
    });
    assert.deepEqual(of('https://t.example/{{who}}', [{ key: 'who', field: 'custom' }]), {
      kind: 'no_value',
      name: 'who',
    });
    assert.deepEqual(of('https://t.example/{{#if a}}b{{/if}}'), { kind: 'other_syntax' });
  });
});
