import MarkdownIt, { type RendererRule, type Token } from 'markdown-it';
import { signOf, visibleText } from '../data/text/visible-text.ts';
import { linkTarget, pictureAddress } from './link-target.ts';
import { PIECE_MARK, type Piece, withValues } from './template/pieces.ts';

export interface MarkdownInput {
  /** The origin of the page: links and pictures are judged by it. */
  readonly origin: string;
  /** The pieces of a template; none for markdown that people write. */
  readonly pieces?: readonly Piece[];
}

const MAX_PICTURES = 50;
/** Deeper quotes and lists stay text: each level is an element around all others. */
const MAX_NESTING = 24;
/** The page and its panes have headings of their own. */
const HEADING_OFFSET = 2;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: MAX_NESTING });
// An address in angle brackets is an indicator more often than a link.
markdown.disable('autolink');
// `linkTarget` judges the address as written; every link is parsed, so that it never becomes text with a bare address.
markdown.validateLink = () => true;
markdown.normalizeLink = (address) => address;
markdown.normalizeLinkText = (text) => text;

markdown.core.ruler.push('triad', (state) => {
  const input = inputOf(state.env);
  const headings = state.tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  // Readers of headings miss a level that is left out.
  const levels = [...new Set(headings.map(({ tag }) => tag))].sort();
  for (const token of headings) token.tag = `h${Math.min(6, levels.indexOf(token.tag) + 1 + HEADING_OFFSET)}`;
  takeOffEmptyHeads(state.tokens);
  for (const token of state.tokens) {
    const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = align === undefined ? (token.attrs ?? []).filter(([name]) => name === 'start') : [['align', align]];
    if (token.children !== null) judgeLinks(token.children, input);
  }
});

/**
 * A table without words for its columns begins with a head of empty cells in markdown.
 * Screen readers would announce columns without a name.
 */
function takeOffEmptyHeads(tokens: readonly Token[]): void {
  let head: Token[] = [];
  let hasWords = false;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') [head, hasWords] = [[], false];
    head.push(token);
    if (token.type === 'th_open') {
      const [words, close] = [tokens[index + 1], tokens[index + 2]];
      const isNamed = words !== undefined && words.content.trim() !== '';
      hasWords ||= isNamed;
      if (!isNamed && close !== undefined) token.tag = close.tag = 'td';
    }
    if (token.type === 'thead_close' && !hasWords) for (const part of head) part.hidden = true;
  }
}

function judgeLinks(tokens: readonly Token[], { origin, pieces = [] }: MarkdownInput): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = withValues(String(token.attrGet('href') ?? ''), pieces, encoded);
      const target = linkTarget(href, origin);
      token.meta = target ?? null;
      token.tag = target === undefined ? 'span' : 'a';
      token.attrs =
        target === undefined
          ? []
          : target.kind === 'page'
            ? [['href', target.path]]
            : [
                ['href', target.href],
                ['rel', 'noopener noreferrer nofollow'],
                ['target', '_blank'],
              ];
      open.push(token);
    } else if (token.type === 'link_close') {
      const opened = open.pop();
      token.tag = opened?.tag ?? 'span';
      token.meta = opened?.meta ?? null;
    }
  }
}

const rules: Record<string, RendererRule | undefined> = markdown.renderer.rules;
rules.text = (tokens, index, _options, env) => wordsHtml(tokens[index]?.content ?? '', inputOf(env));
rules.code_inline = (tokens, index, _options, env) => `<code>${codeHtml(tokens[index]?.content ?? '', env)}</code>`;
rules.code_block = (tokens, index, _options, env) =>
  `<pre><code>${codeHtml(tokens[index]?.content ?? '', env)}</code></pre>\n`;
rules.fence = rules.code_block;
rules.link_close = (tokens, index) => {
  const token = tokens[index];
  const host = token?.meta?.kind === 'external' ? ` <small>(${escapeHtml(String(token.meta.host))})</small>` : '';
  return `</${token?.tag ?? 'span'}>${host}`;
};
rules.image = (tokens, index, _options, env) => {
  const token = tokens[index];
  const input = inputOf(env);
  const pieces = input.pieces ?? [];
  const source = pictureAddress(withValues(String(token?.attrGet('src') ?? ''), pieces, encoded), input.origin);
  const words = withValues(token?.content ?? '', pieces, (value) => value);
  input.pictures += 1;
  if (source === undefined || input.pictures > MAX_PICTURES) return `<em>[${wordsHtml(words, input)}]</em>`;
  return `<img src="${escapeHtml(source)}" alt="${escapeHtml(words)}" loading="lazy">`;
};

/** Markdown-it passes this object through; its type there is open. */
type Env = MarkdownInput & { pictures: number };

function inputOf(env: unknown): Env {
  const isEnv = (value: unknown): value is Env => typeof value === 'object' && value !== null && 'pictures' in value;
  return isEnv(env) ? env : { origin: '', pictures: 0 };
}

/**
 * Returns HTML of markdown: no HTML of its author, no link but to pages and named hosts, no picture of
 * another origin, and misleading characters as marks. It still has to pass the sanitizer before it
 * becomes elements.
 */
export function markdownHtml(text: string, input: MarkdownInput): string {
  return markdown.render(text, { origin: input.origin, pieces: input.pieces, pictures: 0 });
}

function wordsHtml(text: string, { pieces = [] }: MarkdownInput): string {
  return splitAtPieces(
    text,
    (words) => visibleHtml(words),
    (index) => {
      const piece = pieces[index];
      if (piece === undefined) return '';
      return piece.kind === 'value'
        ? `<bdi data-value="">${visibleHtml(piece.text)}</bdi>`
        : `<span data-widget="${index}"></span>`;
    },
  );
}

function codeHtml(text: string, env: unknown): string {
  const { pieces = [] } = inputOf(env);
  return splitAtPieces(text, visibleHtml, (index) => {
    const piece = pieces[index];
    return piece?.kind === 'value' ? visibleHtml(piece.text) : '';
  });
}

function splitAtPieces(text: string, words: (text: string) => string, piece: (index: number) => string): string {
  let html = '';
  let end = 0;
  for (const mark of text.matchAll(PIECE_MARK)) {
    html += words(text.slice(end, mark.index)) + piece(Number(mark[1]));
    end = mark.index + mark[0].length;
  }
  return html + words(text.slice(end));
}

function visibleHtml(text: string): string {
  return visibleText(text, { lines: true, limit: text.length })
    .segments.map((segment) =>
      segment.kind === 'text'
        ? escapeHtml(segment.text)
        : `<span role="img" data-mark="${escapeHtml(signOf(segment))}" data-kind="${segment.kind}" aria-label="${segment.code}" title="${segment.code}"></span>`,
    )
    .join('');
}

/** Half of a character has no encoding of its own. */
function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
