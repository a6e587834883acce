import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultDocument } from '../kinds/analysis/result.ts';
import { serviceDocument } from '../kinds/analysis/service.ts';
import { submissionDocument } from '../kinds/analysis/submission.ts';
import { analyticDocument } from '../kinds/analytic.ts';
import { hitDocument } from '../kinds/hit.ts';
import { userDocument } from '../kinds/user.ts';
import { viewDocument } from '../kinds/view.ts';
import { elasticsearchIndexBody, elasticsearchMappings } from './elasticsearch-mapping.ts';

describe('elasticsearchMappings', () => {
  const { properties, dynamic_templates: templates } = elasticsearchMappings(hitDocument);

  it('maps each type as the public system does', () => {
    const searched = { index: true, doc_values: true };
    assert.deepEqual(properties.message, { type: 'keyword', ignore_above: 8191, ...searched });
    assert.deepEqual(properties['howler.analytic'], {
      type: 'keyword',
      ignore_above: 8191,
      normalizer: 'lowercase_normalizer',
      ...searched,
    });
    assert.deepEqual(properties['howler.comment.value'], { type: 'text', index: true });
    assert.deepEqual(properties.timestamp, { type: 'date', format: 'date_optional_time||epoch_millis', ...searched });
    assert.deepEqual(properties['source.ip'], { type: 'ip', ...searched });
    assert.deepEqual(properties['source.bytes'], { type: 'long', ...searched });
    assert.deepEqual(properties['howler.score'], { type: 'float', ...searched });
    assert.deepEqual(properties['file.hash.ssdeep'], { type: 'text', analyzer: 'text_fuzzy', index: true });
    assert.deepEqual(properties.classification, { type: 'keyword', copy_to: '__text__', ...searched });
    assert.deepEqual(properties['howler.dossier.format'], {
      type: 'keyword',
      ignore_above: 8191,
      index: false,
      doc_values: false,
    });
  });

  it('adds the identifier, the default search field and the access fields', () => {
    assert.deepEqual(properties.id, { type: 'keyword', store: true, doc_values: true });
    assert.deepEqual(properties.__text__, { type: 'text', store: false });
    assert.deepEqual(properties.__access_lvl__, { type: 'integer', index: true });
    assert.deepEqual(properties.__access_grp2__, { type: 'keyword', index: true });
    assert.equal(elasticsearchMappings(viewDocument).properties.__access_lvl__, undefined);
  });

  it('maps the keys of mappings by templates, or keeps them unsearched', () => {
    assert.equal('labels' in properties, false);
    assert.deepEqual(
      templates.flatMap((template) => Object.keys(template)),
      [
        'strings_as_keywords',
        'labels.*_tpl',
        'container.labels.*_tpl',
        'process.env_vars.*_tpl',
        'process.parent.env_vars.*_tpl',
        'process.parent.parent.env_vars.*_tpl',
        'howler.comment.reactions.*_tpl',
      ],
    );
    assert.deepEqual(elasticsearchMappings(userDocument).properties.apikeys, { type: 'object', enabled: false });
    assert.deepEqual(Object.keys(elasticsearchMappings(viewDocument).dynamic_templates[1] ?? {}), [
      'refuse_all_implicit_mappings',
    ]);
  });
});

describe('elasticsearchIndexBody', () => {
  it('limits the tokens of a field that says so, in documents but not in queries', () => {
    const { settings, mappings } = elasticsearchIndexBody(resultDocument, { shards: 1, replicas: 0 });
    const { analyzer, search_analyzer: inQueries } = mappings.properties['result.sections.body'] ?? {};
    const analysis = settings.analysis as Readonly<Record<'analyzer' | 'filter', Readonly<Record<string, object>>>>;
    assert.equal(inQueries, 'standard');
    assert.deepEqual(analysis.analyzer[String(analyzer)], {
      type: 'custom',
      tokenizer: 'standard',
      filter: ['lowercase', 'text_first_20000'],
    });
    assert.deepEqual(analysis.filter.text_first_20000, { type: 'limit', max_token_count: 20_000 });
  });

  it('parses no field that takes any JSON, and finds values of mappings by words alone where they are copied', () => {
    const { properties } = elasticsearchMappings(serviceDocument);
    assert.deepEqual(properties['submission_params.default'], { type: 'object', enabled: false });
    const templates = elasticsearchMappings(submissionDocument).dynamic_templates;
    assert.deepEqual(templates[1], {
      'metadata.*_string_tpl': {
        path_match: 'metadata.*',
        match_mapping_type: 'string',
        mapping: { type: 'keyword', index: true, ignore_above: 8191, copy_to: '__text__' },
      },
    });
    // An object between the dots of a key is no keyword.
    const types = templates.map(
      (template) => (Object.values(template)[0] as { match_mapping_type?: string }).match_mapping_type,
    );
    assert.deepEqual(types, ['string', 'string', 'date', 'long', 'double', 'boolean']);
  });

  it('defines the analysis that the mapping uses and leaves room for fields', () => {
    const { settings } = elasticsearchIndexBody(analyticDocument, { shards: 2, replicas: 1 });
    assert.deepEqual(settings.index, {
      number_of_shards: 2,
      number_of_replicas: 1,
      mapping: { total_fields: { limit: 1500 } },
    });
    const analysis = settings.analysis as { analyzer: object; normalizer: object };
    assert.ok('text_fuzzy' in analysis.analyzer && 'lowercase_normalizer' in analysis.normalizer);
  });
});
