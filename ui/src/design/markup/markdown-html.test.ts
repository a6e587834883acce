import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { XSS_STRINGS } from '../../../../test/browser/hostile/xss-strings.ts';
import { markdownHtml } from './markdown-html.ts';
import { markdownParts } from './markdown-parts.ts';
import { evaluateTemplate } from './template/interpreter.ts';

const ORIGIN = 'https://triad.example';
const html = (text: string) => markdownHtml(text, { origin: ORIGIN }).trim();
const ofTemplate = (template: string, record: unknown) => {
  const { markdown, pieces } = evaluateTemplate(template, record);
  return markdownHtml(markdown, { origin: ORIGIN, pieces }).trim();
};

/** Names what must not be in the output: each tag and attribute is one of the renderer. */
function assertHarmless(output: string, input: string): void {
  const tags = [...output.matchAll(/<\/?([a-z0-9]+)((?:\s+[a-z-]+="[^"<>]*")*)\s*>/g)];
  const rest = output.replaceAll(/<\/?([a-z0-9]+)((?:\s+[a-z-]+="[^"<>]*")*)\s*>/g, '');
  assert.ok(!rest.includes('<'), `${input} left ${rest}`);
  for (const [, tag = '', attributes = ''] of tags) {
    assert.match(
      tag,
      /^(?:p|br|hr|h[1-6]|blockquote|ul|ol|li|pre|code|strong|em|s|small|a|img|span|bdi|table|thead|tbody|tr|th|td)$/,
    );
    for (const [, name = '', value = ''] of attributes.matchAll(/([a-z-]+)="([^"]*)"/g)) {
      assert.match(
        name,
        /^(?:href|rel|target|src|alt|loading|title|align|start|role|aria-label|data-(?:mark|kind|value|widget))$/,
      );
      if (name === 'href') assert.match(value, /^(?:https?:\/\/|\/(?![/\\]))/, input);
      if (name === 'src') assert.match(value, /^\/(?![/\\])/, input);
    }
  }
}

describe('markdown', () => {
  it('writes what people write', () => {
    assert.equal(
      html('# Title\n\n*a* **b** ~~c~~ `d`'),
      '<h3>Title</h3>\n<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>',
    );
    assert.match(html('| a | b |\n|--:|---|\n| 1 | 2 |'), /<td align="right">1<\/td>/);
    assert.equal(
      html('| | |\n|---|---|\n| 1 | 2 |'),
      '<table>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
      'no head without words',
    );
    assert.match(html('| a | |\n|---|---|\n| 1 | 2 |'), /<thead>\s*<tr>\s*<th>a<\/th>\s*<td><\/td>\s*<\/tr>/);
    assert.equal(html('3. x'), '<ol start="3">\n<li>x</li>\n</ol>');
  });

  it('begins headings below those of the page, and leaves no level out', () => {
    assert.match(html('## About\n\n#### Detail\n\n## End'), /<h3>About<.*<h4>Detail<.*<h3>End</s);
    assert.match(html('# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five'), /<h6>Four<.*<h6>Five</s);
  });

  it('names the hosts of links out, and leads to pages', () => {
    assert.equal(
      html('[wiki](https://wiki.example/a)'),
      '<p><a href="https://wiki.example/a" rel="noopener noreferrer nofollow" target="_blank">wiki</a> <small>(wiki.example)</small></p>',
    );
    assert.equal(html('[case](/cases/1)'), '<p><a href="/cases/1">case</a></p>');
    assert.equal(html('[x](javascript:alert(1))'), '<p><span>x</span></p>');
    assert.doesNotMatch(html('<https://evil.example> https://evil.example'), /<a/);
  });

  it('shows pictures of this origin alone', () => {
    assert.match(html('![a](/assets/a.png)'), /<img src="\/assets\/a.png" alt="a"/);
    assert.equal(html('![a](https://evil.example/a.png)'), '<p><em>[a]</em></p>');
    assert.equal((html('![](/a.png)'.repeat(100)).match(/<img/g) ?? []).length, 50);
  });

  it('marks misleading characters, in words and code', () => {
    assert.match(html('a\u202eb `c\u200bd`'), /data-mark="202E".*<code>c<span role="img" data-mark="200B"/);
  });
});

describe('values of templates', () => {
  it('stay values wherever they stand', () => {
    const v = '[x](https://evil.example) `a` <b> | **c**\n\n# d';
    for (const template of [
      '{{v}}',
      '# {{v}}',
      '`{{v}}`',
      '- {{v}}',
      '| a |\n|---|\n| {{v}} |',
      '> {{v}}',
      '```\n{{v}}\n```',
    ]) {
      const output = ofTemplate(template, { v });
      assert.doesNotMatch(output, /<(?:a|b|strong)\b/, template);
      assert.ok(output.includes('[x](https://evil.example) `a` &lt;b&gt; | **c**'), template);
    }
    assert.match(ofTemplate('{{v}}', { v: '10.0.0.1' }), /<bdi data-value="">10\.0\.0\.1<\/bdi>/);
  });

  it('may be a part of an address, and never its host', () => {
    assert.match(
      ofTemplate('[x](https://wiki.example/{{v}})', { v: '../a b?"' }),
      /href="https:\/\/wiki\.example\/..%2Fa%20b%3F%22"/,
    );
    assert.doesNotMatch(ofTemplate('[x]({{v}})', { v: 'https://evil.example' }), /<a/);
    assert.doesNotMatch(ofTemplate('[x](https://{{v}}/)', { v: 'a@evil.example/' }), /href="https:\/\/(?:evil|a@)/);
  });

  it('leave a place for widgets', () => {
    assert.equal(ofTemplate('a {{render_json this}}', { a: 1 }), '<p>a <span data-widget="0"></span></p>');
  });
});

describe('hostile strings', () => {
  it(`never leave the text (${XSS_STRINGS.length})`, () => {
    assert.ok(XSS_STRINGS.length >= 200);
    for (const string of XSS_STRINGS) {
      assertHarmless(html(string), string);
      assertHarmless(
        html(`[a](${string}) ![b](${string} "${string}") \`${string}\`\n\n- ${string}\n\n| ${string} |\n|---|\n`),
        string,
      );
      assertHarmless(ofTemplate('{{v}} {{{v}}} [x](/a/{{v}}) ![x](/a/{{{v}}})', { v: string }), string);
      assertHarmless(ofTemplate(string, { v: string }), string);
    }
  });

  const floods = [
    '*',
    '_',
    '[',
    '![',
    '`',
    '> ',
    '- ',
    '|',
    '\\',
    '&amp;',
    '[a](',
    '<',
    '~~',
    '# ',
    '](',
    '**a ',
    '[a]: b\n',
    '|-',
    '1. ',
    '\t',
    '***a**',
    '[a](',
  ];
  it('take no time', () => {
    for (const flood of floods) {
      const started = performance.now();
      html(flood.repeat(16_000 / flood.length));
      assert.ok(performance.now() - started < 5_000, flood);
    }
  });
});

describe('parts', () => {
  it('keep every line', () => {
    const text = Array.from({ length: 3_000 }, (_, index) =>
      index % 5 === 4 ? '' : `line ${index} ${'x'.repeat(300)}`,
    ).join('\n');
    const parts = markdownParts(text);
    assert.ok(parts.length > 50);
    assert.ok(parts.every((part) => part.length <= 17_000));
    assert.equal(parts.join('\n'), text);
  });

  it('cut a long line and long code', () => {
    assert.equal(markdownParts('x'.repeat(1_000_000)).join('').replaceAll('\n', '').length, 1_000_000);
    const code = markdownParts(`\`\`\`\n${'code\n'.repeat(10_000)}\`\`\`\nafter`);
    assert.ok(code.every((part) => (part.match(/^```/gm) ?? []).length % 2 === 0));
  });
});
