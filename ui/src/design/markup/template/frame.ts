import { memberOf } from '../../../json/members.ts';
import type { PathNode } from './nodes.ts';

/** One level of `this`, with the names that its block gave. */
export interface Frame {
  readonly context: unknown;
  readonly parent: Frame | undefined;
  readonly names: Readonly<Record<string, unknown>>;
  /** `@index`, `@key`, `@first`, `@last`, `@root`. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function rootFrame(record: unknown): Frame {
  return { context: record, parent: undefined, names: {}, data: { root: record } };
}

/** Returns the frame of a block about one value, which it may name: `{{#with a as |name|}}`. */
export function valueFrame(context: unknown, [name]: readonly string[], parent: Frame): Frame {
  return { context, parent, names: name === undefined ? {} : { [name]: context }, data: parent.data };
}

/** Returns the frames of `{{#each}}`, one for each element or member; none where there are none. */
export function* itemFrames(value: unknown, names: readonly string[], parent: Frame): Generator<Frame> {
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((element, index) => [index, element] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  const [itemName, keyName] = names;
  for (const [index, [key, context]] of entries.entries()) {
    yield {
      context,
      parent,
      names: {
        ...(itemName === undefined ? {} : { [itemName]: context }),
        ...(keyName === undefined ? {} : { [keyName]: key }),
      },
      data: { root: parent.data.root, key, index, first: index === 0, last: index === entries.length - 1 },
    };
  }
}

/** Returns the frame that a path starts from: `../` leads to the parent. */
export function startOf({ depth }: PathNode, frame: Frame): Frame | undefined {
  let from: Frame | undefined = frame;
  for (let level = 0; level < depth; level += 1) from = from?.parent;
  return from;
}

/** Returns the value at a path whose parts are evaluated. Names of blocks come before fields. */
export function valueAt(node: PathNode, parts: readonly string[], frame: Frame, from: Frame): unknown {
  const [head] = parts;
  if (head === undefined) return node.data ? undefined : from.context;
  const isOfBlock = !node.data && node.depth === 0 && !/^(?:this\b|\.)/.test(node.original);
  if (isOfBlock) {
    for (let named: Frame | undefined = frame; named !== undefined; named = named.parent) {
      if (Object.hasOwn(named.names, head)) return parts.slice(1).reduce<unknown>(memberOf, named.names[head]);
    }
  }
  return parts.reduce<unknown>(memberOf, node.data ? from.data : from.context);
}
