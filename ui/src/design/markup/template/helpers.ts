import { valueAt } from '../../../json/members.ts';
import type { TemplateLimits } from './budget.ts';
import type { Widget, WidgetCell } from './pieces.ts';
import { jsonOf, textOf } from './printed-values.ts';

/** Markdown of the template's author, written as it stands. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A helper that draws something instead of writing. */
export class WidgetResult {
  readonly widget: Widget;

  constructor(widget: Widget) {
    this.widget = widget;
  }
}

/** Names the thing that a helper lacks; keys of the messages. */
export type HelperNeed =
  | 'two-arguments'
  | 'three-arguments'
  | 'string'
  | 'json'
  | 'address'
  | 'action'
  | 'type-and-value'
  | 'type'
  | 'value'
  | 'fetcher'
  | 'list'
  | 'cells'
  | 'shorter'
  | 'fewer-addresses';

/** A helper was used in a way that it does not understand: the overview says so in this place. */
export class HelperMisuse extends Error {
  readonly need: HelperNeed;

  constructor(need: HelperNeed) {
    super(need);
    this.need = need;
  }
}

export interface HelperCall {
  readonly args: readonly unknown[];
  readonly hash: Readonly<Record<string, unknown>>;
  readonly limits: TemplateLimits;
  /** Returns the answer of a GET request of this origin; undefined until it is there. */
  readonly fetched: (address: string) => unknown;
}

export interface Helper {
  readonly usage: string;
  readonly run: (call: HelperCall) => unknown;
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

function required(value: unknown, need: HelperNeed): string {
  if (isNothing(value)) throw new HelperMisuse(need);
  return textOf(value);
}

/** The helpers that overviews of Howler use, by their names there. */
const HELPERS: Readonly<Record<string, Helper>> = {
  equals: {
    usage: '{{equals a b}}',
    run: ({ args: [left, right] }) => required(left, 'two-arguments') === required(right, 'two-arguments'),
  },
  and: { usage: '{{and a b}}', run: ({ args: [left, right] }) => left && right },
  or: { usage: '{{or a b}}', run: ({ args: [left, right] }) => left || right },
  not: { usage: '{{not a}}', run: ({ args: [value] }) => !value },
  curly: { usage: "{{curly 'text'}}", run: ({ args: [value] }) => new Markup(`{{${textOf(value)}}}`) },
  join: {
    usage: "{{join a b sep=', '}}",
    run: ({ args: [left, right], hash }) => [textOf(left), textOf(right)].join(textOf(hash.sep)),
  },
  upper: { usage: '{{upper a}}', run: ({ args: [value] }) => required(value, 'string').toLocaleUpperCase() },
  lower: { usage: '{{lower a}}', run: ({ args: [value] }) => required(value, 'string').toLocaleLowerCase() },
  replace: {
    usage: '{{replace text searched replacement}}',
    run: ({ args, limits }) => {
      const [text = '', searched = '', replacement = ''] = [0, 1, 2].map((place) =>
        required(args[place], 'three-arguments'),
      );
      const parts = text.split(searched);
      const length = text.length + parts.length * replacement.length;
      if (length > limits.maxOutput) throw new HelperMisuse('shorter');
      return parts.join(replacement);
    },
  },
  includes: {
    usage: '{{includes text part}}',
    run: ({ args: [whole, part] }) => {
      if (!part) return false;
      return Array.isArray(whole) ? whole.includes(part) : textOf(whole).includes(textOf(part));
    },
  },
  get: { usage: "{{get object 'a.b'}}", run: ({ args: [object, path] }) => valueAt(object, textOf(path)) },
  entries: {
    usage: '{{#each (entries object)}}{{key}}: {{value}}{{/each}}',
    run: ({ args: [object] }) =>
      typeof object === 'object' && object !== null
        ? Object.entries(object).map(([key, value]) => ({ key, value }))
        : new Markup('Invalid Object.'),
  },
  to_json: {
    usage: '{{to_json object}}',
    run: ({ args: [object] }) => jsonOf(object),
  },
  parse_json: {
    usage: '{{parse_json text}}',
    run: ({ args: [text] }) => {
      try {
        return JSON.parse(required(text, 'string'));
      } catch (error) {
        throw error instanceof HelperMisuse ? error : new HelperMisuse('json');
      }
    },
  },
  fetch: {
    usage: "{{fetch '/api/v1/…' 'a.b'}}",
    run: ({ args: [address, path], fetched }) => valueAt(fetched(required(address, 'address')), textOf(path)),
  },
  render_json: {
    usage: '{{render_json object}}',
    run: ({ args: [data] }) => (isNothing(data) ? undefined : new WidgetResult({ kind: 'json', data })),
  },
  table: {
    usage: '{{table cells}}',
    run: ({ args: [cells], limits }) => new WidgetResult({ kind: 'table', cells: cellsOf(cells, limits) }),
  },
  howler: {
    usage: '{{howler id}}',
    run: ({ args: [id] }) => (id ? new WidgetResult({ kind: 'alert', id: textOf(id) }) : undefined),
  },
  action: {
    usage: '{{action actionId alertId}}',
    run: ({ args: [action, alert], hash }) =>
      new WidgetResult({
        kind: 'action',
        action: required(action, 'action'),
        alert: textOf(alert),
        options: hash,
      }),
  },
  clue: {
    usage: '{{clue type value}}',
    run: ({ args: [type, value] }) => {
      if (typeof type !== 'string' || typeof value !== 'string') throw new HelperMisuse('type-and-value');
      return new WidgetResult({ kind: 'lookup', type, value });
    },
  },
  fetcher: {
    usage: "{{fetcher type='…' value='…' fetcherId='…'}}",
    run: ({ hash }) =>
      new WidgetResult({
        kind: 'fetcher',
        type: required(hash.type, 'type'),
        value: required(hash.value, 'value'),
        fetcher: required(hash.fetcherId, 'fetcher'),
      }),
  },
  clue_group: {
    usage: "{{clue_group values type='ip'}}",
    run: ({ args: [values], hash, limits }) => {
      if (!Array.isArray(values)) throw new HelperMisuse('list');
      const texts = values.slice(0, limits.maxPieces).map(textOf);
      return new WidgetResult({
        kind: 'lookups',
        type: required(hash.type, 'type'),
        values: [...new Set(texts)],
      });
    },
  },
  clue_table: {
    usage: '{{clue_table cells}}',
    run: ({ args: [cells], hash, limits }) =>
      new WidgetResult({
        kind: 'table',
        cells: cellsOf(cells, limits),
        ...(hash.clue_action_type ? { actionType: textOf(hash.clue_action_type) } : {}),
      }),
  },
};

export function helperOf(name: string): Helper | undefined {
  return Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
}

function cellsOf(cells: unknown, limits: TemplateLimits): WidgetCell[] {
  if (!Array.isArray(cells)) throw new HelperMisuse('cells');
  return cells.slice(0, limits.maxPieces).map((cell: unknown) => {
    const text = (key: string) => textOf(valueAt(cell, key));
    const type = text('clue_type');
    const fetcher = text('clue_fetcher');
    return {
      column: text('column'),
      row: text('row'),
      value: text('value'),
      ...(type === '' ? {} : { type }),
      ...(fetcher === '' ? {} : { fetcher }),
    };
  });
}
