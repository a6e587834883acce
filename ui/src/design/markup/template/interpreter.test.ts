import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluateTemplate } from './interpreter.ts';
import { withValues } from './pieces.ts';
import type { TemplateOptions } from './result.ts';

const RECORD = {
  howler: { analytic: 'Beaconing', outline: { indicators: ['a', 'b'] }, empty: [], zero: 0 },
  'dotted.key': 'dotted',
  html: '<b>&</b>',
  list: [{ k: 1 }, { k: 2 }],
  json: '{"a":{"b":[7]}}',
  action: 'allowed',
};

/** Returns the output with values in their places. */
function write(template: string, record: unknown = RECORD, options: TemplateOptions = {}): string {
  const { markdown, pieces } = evaluateTemplate(template, record, options);
  return withValues(markdown, pieces, (value) => value);
}

const problems = (template: string, record: unknown = RECORD, options: TemplateOptions = {}) =>
  evaluateTemplate(template, record, options).problems;

describe('the language', () => {
  const cases: [string, string][] = [
    ['# {{howler.analytic}}', '# Beaconing'],
    ['{{html}} {{{html}}}', '<b>&</b> <b>&</b>'],
    ['{{missing.field}}|{{howler.missing.deep}}', '|'],
    ['{{[dotted.key]}} {{howler/analytic}}', 'dotted Beaconing'],
    ['{{#if howler.empty}}yes{{else}}no{{/if}}', 'no'],
    ['{{#if howler.zero}}yes{{else}}no{{/if}}', 'no'],
    ['{{#if howler.zero includeZero=true}}yes{{/if}}', 'yes'],
    ['{{#if missing}}a{{else if howler}}b{{else}}c{{/if}}', 'b'],
    ['{{#unless missing}}x{{/unless}}', 'x'],
    ['{{#each list}}{{@index}}:{{k}}{{#unless @last}},{{/unless}}{{/each}}', '0:1,1:2'],
    ['{{#each howler.outline.indicators}}{{this}}{{../howler.analytic}} {{/each}}', 'aBeaconing bBeaconing '],
    ['{{#each missing}}a{{else}}none{{/each}}', 'none'],
    ['{{#each list as |item index|}}{{index}}={{item.k}} {{/each}}', '0=1 1=2 '],
    ['{{#each (entries howler.outline)}}{{key}}={{value}}{{/each}}', 'indicators=a,b'],
    ['{{#with howler}}{{analytic}} {{@root.html}}{{/with}}', 'Beaconing <b>&</b>'],
    ['{{#list}}{{k}}{{/list}}{{^missing}}none{{/missing}}', '12none'],
    ['{{lookup howler.outline.indicators 1}}', 'b'],
    ['{{howler.outline.indicators.length}}', '2'],
    ['a {{! comment }}b{{~"x"~}}  c', 'a bxc'],
    ['\\{{raw}}', '{{raw}}'],
    ['{{action}}', 'allowed'],
  ];
  for (const [template, output] of cases) it(template, () => assert.equal(write(template), output));
});

describe('the helpers of Howler', () => {
  const cases: [string, string][] = [
    ["{{#if (equals howler.analytic 'Beaconing')}}yes{{/if}}", 'yes'],
    [
      '{{#if (and howler missing)}}a{{else}}b{{/if}}{{#if (or missing howler)}}a{{/if}}{{#if (not missing)}}c{{/if}}',
      'bac',
    ],
    ["{{curly 'x y'}}", '{{x y}}'],
    ["{{join 'a' 'b' sep='-'}}{{join 'a' missing}}", 'a-ba'],
    ["{{upper 'é'}}{{lower 'É'}}", 'Éé'],
    ["{{replace 'a.b.c' '.' '[.]'}}", 'a[.]b[.]c'],
    ["{{#if (includes howler.analytic 'Beac')}}1{{/if}}{{#if (includes howler.outline.indicators 'c')}}2{{/if}}", '1'],
    ["{{get (parse_json json) 'a.b[0]'}}", '7'],
    ['{{to_json howler.outline}}', '{"indicators":["a","b"]}'],
  ];
  for (const [template, output] of cases) it(template, () => assert.equal(write(template), output));

  it('draw widgets', () => {
    const { pieces } = evaluateTemplate(
      "{{render_json howler}}{{table cells}}{{howler 'id'}}{{action 'x' 'id' label='Go'}}{{clue 'ip' '10.0.0.1'}}{{clue_group cells type='ip'}}{{fetcher type='ip' value='v' fetcherId='f'}}",
      { howler: {}, cells: [{ column: 'a', row: '1', value: 2, clue_type: 'ip' }] },
    );
    assert.deepEqual(
      pieces.map((piece) => (piece.kind === 'widget' ? piece.widget.kind : piece.text)),
      ['json', 'table', 'alert', 'action', 'lookup', 'lookups', 'fetcher'],
    );
  });

  it('say how they are used', () => {
    assert.deepEqual(problems('{{upper missing}}'), [
      { kind: 'misuse', name: 'upper', need: 'string', usage: '{{upper a}}' },
    ]);
    assert.equal(problems("{{parse_json 'x'}}")[0]?.kind, 'misuse');
    assert.deepEqual(problems('{{nothere 1}}'), [{ kind: 'missing-helper', name: 'nothere' }]);
    assert.deepEqual(problems('{{> partial}}'), [{ kind: 'unsupported', name: 'PartialStatement' }]);
  });

  it('fetch in a second evaluation', () => {
    const template = "{{fetch '/api/v1/hit/1' 'api_response.howler.id'}}";
    const { wanted, markdown } = evaluateTemplate(template, {});
    assert.deepEqual([wanted, markdown], [['/api/v1/hit/1'], '']);
    const answers = new Map([['/api/v1/hit/1', { api_response: { howler: { id: 'x' } } }]]);
    assert.equal(write(template, {}, { answers }), 'x');
    assert.deepEqual(evaluateTemplate(template, {}, { answers }).wanted, []);
    const many = "{{#each list}}{{fetch this 'a'}}{{/each}}";
    const list = Array.from({ length: 100 }, (_, index) => `/api/${index}`);
    assert.equal(evaluateTemplate(many, { list }).wanted.length, 16);
  });
});

describe('hostile templates and records', () => {
  it('reach nothing but own fields', () => {
    const record = { a: 'x', list: [], f: () => 'called' };
    const paths = [
      'constructor',
      '__proto__',
      'a.constructor',
      'list.constructor.constructor',
      'toString',
      'list.map',
      'f',
      '__proto__.polluted',
      'a.__proto__',
      '@root.constructor',
      '@constructor',
      'this.constructor',
      'list.[constructor]',
    ];
    for (const path of paths) {
      assert.equal(write(`{{${path}}}`, record), '', path);
      assert.equal(write(`{{#with ${path}}}in{{/with}}`, record), '', path);
    }
    assert.equal(
      write(
        "{{lookup this 'constructor'}}{{get this 'constructor.name'}}{{lookup (lookup this '__proto__') 'x'}}",
        record,
      ),
      '',
    );
    assert.deepEqual(
      problems('{{constructor 1}}{{__defineGetter__ 1 2}}', record).map(({ kind }) => kind),
      ['missing-helper', 'missing-helper'],
    );
    assert.equal(
      write("{{#each list as |__proto__|}}{{/each}}{{helperMissing 'x'}}{{blockHelperMissing}}", record),
      '',
    );
  });

  const list = Array.from({ length: 2_000 }, (_, index) => index);
  const cyclic: Record<string, unknown> = { a: 'x', big: 'y'.repeat(400_000) };
  cyclic.self = cyclic;
  const hostile: [string, string, unknown][] = [
    ['loops in loops', '{{#each list}}{{#each ../list}}{{#each ../../list}}x{{/each}}{{/each}}{{/each}}', { list }],
    ['output', '{{#each list}}{{../big}}{{/each}}', { list, big: 'y'.repeat(100_000) }],
    ['values', '{{#each list}}{{this}}{{this}}{{this}}{{this}}{{/each}}', { list }],
    ['depth', `${'{{#with this}}'.repeat(100)}${'{{/with}}'.repeat(100)}`, { a: 1 }],
    ['doubling', `${'{{#with (join this this)}}'.repeat(39)}x${'{{/with}}'.repeat(39)}`, 'aaaaaaaaaaaaaaaaaaaa'],
    [
      'a record that holds itself',
      '{{#each list}}{{#if (equals self self)}}{{/if}}{{self}}{{/each}}',
      { list, self: cyclic },
    ],
    [
      'costly helpers',
      '{{#each list}}{{#if (equals ../o ../o)}}{{/if}}{{/each}}',
      { list, o: { s: 'z'.repeat(5_000_000) } },
    ],
    ['a long template', 'x'.repeat(50_001), {}],
    ['many tags', '{{#if a}}'.repeat(1_001), {}],
    ['a long tag', `{{${'a.'.repeat(20_000)}a}}`, {}],
    ['many calls', `{{a ${'(a '.repeat(1_000)}${')'.repeat(1_000)}}}`, {}],
    ['deep calls', `{{upper ${'(upper '.repeat(200)}'x'${')'.repeat(200)}}}`, {}],
  ];
  for (const [name, template, record] of hostile) {
    it(`cuts ${name}`, () => {
      const started = performance.now();
      const result = evaluateTemplate(template, record);
      assert.ok(performance.now() - started < 5_000);
      assert.ok(result.markdown.length < 600_000);
      assert.ok(
        name === 'a record that holds itself' || result.problems.some(({ kind }) => kind === 'limit'),
        JSON.stringify(result.problems),
      );
    });
  }

  it('names syntax errors with their line', () => {
    const [problem] = problems('ok\n{{#if a}}');
    assert.equal(problem?.kind, 'syntax');
    assert.match(problem?.kind === 'syntax' ? problem.detail : '', /line 2/);
    for (const template of [
      '{{',
      '{{#each',
      '{{/if}}',
      '{{#if}}{{/each}}',
      '{{{a}}',
      '{{a b=}}',
      '{{"',
      '{{#*inline "a"}}{{/inline}}',
    ]) {
      assert.ok(problems(template).length > 0, template);
    }
  });

  it('keeps values apart from markdown', () => {
    const { markdown, pieces } = evaluateTemplate('`{{v}}`', { v: '`[x](javascript:alert(1))\uf8d00\uf8d1' });
    assert.match(markdown, /^`\uf8d00\uf8d1`$/);
    assert.deepEqual(pieces, [{ kind: 'value', text: '`[x](javascript:alert(1))\ufffd0\ufffd' }]);
    assert.doesNotMatch(evaluateTemplate('\uf8d07\uf8d1', {}).markdown, /\uf8d0/);
    assert.doesNotMatch(evaluateTemplate('{{{v}}}{{curly v}}', { v: '\uf8d07\uf8d1' }).markdown, /\uf8d0/);
  });
});
