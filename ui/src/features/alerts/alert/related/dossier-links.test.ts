import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Alert } from '../../triage/alert.ts';
import { dossierLinks } from './dossier-links.ts';

const label = { en: 'Look', fr: 'Voir' };
const pivot = (value: string, mappings: readonly object[] = [], format = 'link') => ({
  label,
  value,
  mappings,
  format,
});

function hrefsOf(
  pivots: readonly object[],
  leads: readonly object[] = [],
  url = 'https://evil.example/?a=b c',
): string[] {
  const alert = {
    howler: { id: 'a', analytic: 'x' },
    source: { ip: '203.0.113.7' },
    url: { full: url },
    __dossiers: [{ pivots, leads }],
  } as unknown as Alert;
  return dossierLinks(alert).map(({ href }) => href);
}

describe('the links of dossiers', () => {
  it('are filled with encoded values of the alert', () => {
    const mappings = [
      { key: 'ip', field: 'source.ip' },
      { key: 'who', field: 'custom', custom_value: 'a/b' },
    ];
    assert.deepEqual(hrefsOf([pivot('https://t.example/ip/{{ip}}?by={{{who}}}', mappings)]), [
      'https://t.example/ip/203.0.113.7?by=a%2Fb',
    ]);
    assert.deepEqual(hrefsOf([pivot('https://t.example/{{u}}', [{ key: 'u', field: 'url.full' }])]), [
      'https://t.example/https%3A%2F%2Fevil.example%2F%3Fa%3Db%20c',
    ]);
    assert.deepEqual(hrefsOf([], [{ label, format: 'link', content: 'https://wiki.example/playbook' }]), [
      'https://wiki.example/playbook',
    ]);
  });

  it('are left out without a value, and where they are none', () => {
    assert.deepEqual(hrefsOf([pivot('https://t.example/{{ip}}', [{ key: 'ip', field: 'destination.ip' }])]), []);
    assert.deepEqual(hrefsOf([pivot('https://t.example/{{#if a}}b{{/if}}')]), []);
    assert.deepEqual(hrefsOf([pivot('https://t.example/', [], 'plugin')]), []);
    assert.deepEqual(hrefsOf([], [{ label, format: 'markdown', content: '# a' }]), []);
  });

  it('lead nowhere that a value of the alert chooses', () => {
    const mappings = [{ key: 'u', field: 'url.full' }];
    for (const value of [
      '{{u}}',
      'https://{{u}}/',
      'https://a{{u}}',
      'javascript:{{u}}',
      'javascript:alert(1)',
      '//{{u}}',
    ]) {
      assert.deepEqual(hrefsOf([pivot(value, mappings)], [], 'evil.example'), [], value);
    }
  });
});
