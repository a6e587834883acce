import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import { changedSettings, effectiveSettings, type SettingsInput } from './user-settings-service.ts';

const classification = loadClassification();
const { analysis: settings } = loadConfig({ environment: {}, flags: { 'analysis.submission.dtl': 7 } });
const parts = { classification, settings };
const OWNER = { roles: new Set(['submission_customize']), classification: classification.unrestricted };
const USUAL = effectiveSettings(parts, OWNER, undefined);
const PASSWORD = { default_zip_password: 'secret' };

describe('settings of users', () => {
  it('are those of the installation until they choose', () => {
    assert.equal(USUAL.download_encoding, 'cart');
    assert.equal(USUAL.default_zip_password, 'infected');
    assert.equal(USUAL.submission_profiles.static?.ttl, 7);
    assert.deepEqual(Object.keys(USUAL.submission_profiles), [
      'default',
      'static',
      'static_with_dynamic',
      'static_with_internet',
      'static_and_dynamic_with_internet',
    ]);
  });

  it('come back as they were sent, and what is left out stays', () => {
    const first = change(undefined, { ...PASSWORD, expand_min_score: 100, default_metadata: { from: 'me' } });
    const second = change(first, { ...PASSWORD, submission_view: 'details', preferred_submission_profile: 'static' });
    const now = effectiveSettings(parts, OWNER, second);
    assert.deepEqual(
      [now.expand_min_score, now.default_metadata, now.submission_view, now.preferred_submission_profile],
      [100, { from: 'me' }, 'details', 'static'],
    );
  });

  it('keep of a profile what differs, so that the rest follows the installation', () => {
    const profile = { ...USUAL.submission_profiles.static, priority: 5, unknown: true };
    const stored = change(undefined, { ...PASSWORD, submission_profiles: { static: profile, nope: {} } });
    assert.equal(stored.submission_profiles, '{"static":{"priority":5}}');
    const now = effectiveSettings(parts, OWNER, stored);
    assert.equal(now.submission_profiles.static?.priority, 5);
    assert.equal(now.submission_profiles.static?.ttl, 7);
  });

  it('are refused when a value does not fit', () => {
    for (const more of [
      { download_encoding: 'rar' },
      { expand_min_score: 'many' },
      { submission_profiles: { static: { priority: 'high' } } },
      { submission_profiles: { static: { priority: 1.5 } } },
      { submission_profiles: { static: { deep_scan: 1 } } },
      { submission_profiles: { static: { services: null } } },
    ]) {
      assert.throws(() => change(undefined, { ...PASSWORD, ...more }), { kind: 'invalid_input' }, JSON.stringify(more));
    }
  });

  it('ignore a profile that the user may not use', () => {
    const limited = effectiveSettings(parts, { ...OWNER, roles: new Set() }, undefined);
    const stored = changedSettings(classification, undefined, limited, {
      ...PASSWORD,
      preferred_submission_profile: 'default',
      submission_profiles: { default: { priority: 5 } },
    });
    assert.equal(stored.preferred_submission_profile, undefined);
    assert.equal(stored.submission_profiles, '{}');
  });
});

function change(stored: Parameters<typeof changedSettings>[1], input: SettingsInput) {
  return changedSettings(classification, stored, USUAL, input);
}
