import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { testClassification } from '../../testing/alerts/alert-services.ts';
import { bootDocument, withApplications } from './boot-document.ts';

const settings = loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname } });
const parts = { settings, classification: testClassification, version: '1.2.3', lookups: {} };

describe('what the web interface reads at its start', () => {
  it('has configuration and the fields of every kind that can be searched', () => {
    const { configuration, indexes } = bootDocument(parts) as {
      configuration: object;
      indexes: Record<string, object>;
    };
    assert.deepEqual(Object.keys(configuration).sort(), ['auth', 'clue', 'features', 'mapping', 'system', 'ui']);
    assert.deepEqual(Object.keys(indexes), [
      'action',
      'analytic',
      'case',
      'dossier',
      'event',
      'hit',
      'overview',
      'template',
      'user',
      'view',
    ]);
    assert.ok(Object.keys(indexes.hit ?? {}).length > 800);
  });

  it('says for each status what can be done', () => {
    const { lookups } = bootDocument(parts) as { lookups: { transitions: Record<string, string[]> } };
    assert.deepEqual([...(lookups.transitions.resolved ?? [])].sort(), ['demote', 'promote', 're_evaluate', 'vote']);
  });

  it('says nothing that only some may know', () => {
    const { configuration, c12nDef } = bootDocument(parts);
    assert.doesNotMatch(JSON.stringify([configuration, c12nDef]), /requirements|hosts|folder|original_definition/);
  });

  it('takes lists over its own', () => {
    const { lookups } = bootDocument({ ...parts, lookups: { icons: ['TA0001'] } }) as { lookups: { icons: unknown } };
    assert.deepEqual(lookups.icons, ['TA0001']);
  });

  it('offers enrichment when it is enabled, and no notebooks', () => {
    const core = { ...settings.core, clue: { ...settings.core.clue, enabled: true } };
    const { configuration } = bootDocument({ ...parts, settings: { ...settings, core } }) as {
      configuration: { features: unknown };
    };
    assert.deepEqual(configuration.features, { clue: true, notebook: false });
  });

  it('has the applications of the discovery service', () => {
    const app = { alt: 'a', name: 'n', img_d: 'd', img_l: 'l', route: 'r', classification: 'c' };
    const { configuration } = withApplications(bootDocument(parts), [app]) as { configuration: { ui: unknown } };
    assert.deepEqual(configuration.ui, { apps: [app] });
  });
});
