import { ChevronRight } from 'lucide-react';
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useCommands } from '../../../keys/commands.tsx';
import type { CommandId } from '../../../keys/key-map.ts';
import { treePlaces } from '../structure/tree-places.ts';
import { useRowHeight } from '../table/row-height.ts';
import { useVirtualRows } from '../table/use-virtual-rows.ts';
import styles from './tree.module.css';

export interface TreeItem<Data> {
  readonly id: string;
  /**
   * 0 for those at the root. The items are a list in the order of sight: only members of open branches
   * are in it.
   */
  readonly depth: number;
  /** Undefined for a leaf. */
  readonly isOpen: boolean | undefined;
  readonly data: Data;
}

export interface TreeProps<Data> {
  readonly label: string;
  readonly items: readonly TreeItem<Data>[];
  readonly item: (data: Data) => ReactNode;
  readonly onToggle: (id: string, isOpen: boolean) => void;
  /** Enter and clicks. */
  readonly onOpen?: (id: string) => void;
  readonly selectedId?: string | undefined;
  /** Called when an item is dropped on another, or moved by Alt and the arrow keys. */
  readonly onMove?: (id: string, to: TreeMove) => void;
  readonly canMove?: (id: string) => boolean;
}

export type TreeMove = { readonly kind: 'into'; readonly target: string } | { readonly kind: Step };

type Step = 'up' | 'down' | 'out' | 'in';

const MOVES: ReadonlyMap<string, Step> = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'out'],
  ['ArrowRight', 'in'],
]);

const MOVE_COMMANDS: readonly (readonly [id: CommandId, step: Step])[] = [
  ['moveItemUp', 'up'],
  ['moveItemDown', 'down'],
  ['moveItemOut', 'out'],
  ['moveItemIn', 'in'],
];

/**
 * Shows a tree of any size: arrow keys, Home, End and letters move in it; only items in sight are in
 * the page.
 */
export function Tree<Data>({ label, items, item, onToggle, onOpen, selectedId, onMove, canMove }: TreeProps<Data>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const [activeId, setActiveId] = useState<string>();
  const [target, setTarget] = useState<string>();
  const wanted = activeId ?? selectedId;
  const active = Math.max(
    0,
    items.findIndex((candidate) => candidate.id === wanted),
  );
  const virtual = useVirtualRows({ count: items.length, rowHeight, scroller, keep: active });
  const scrollTo = virtual.scrollTo;
  const shown = useRef(active);
  useEffect(() => {
    if (shown.current === active) return;
    shown.current = active;
    scrollTo(active);
  });

  const go = (index: number) => setActiveId(items[Math.max(0, Math.min(items.length - 1, index))]?.id);
  const parentOf = (index: number) => {
    const depth = items[index]?.depth ?? 0;
    for (let place = index - 1; place >= 0; place -= 1) if ((items[place]?.depth ?? 0) < depth) return place;
    return index;
  };
  const places = treePlaces(items);
  const isMovable = onMove !== undefined && items[active] !== undefined && canMove?.(items[active].id) !== false;
  const move = (step: Step) => {
    const current = items[active];
    if (isMovable && current !== undefined) onMove(current.id, { kind: step });
  };
  useCommands(
    onMove === undefined
      ? []
      : MOVE_COMMANDS.map(([command, step]) => ({ id: command, run: () => move(step), isEnabled: isMovable })),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const current = items[active];
    if (event.target !== event.currentTarget || current === undefined || event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      const step = MOVES.get(event.key);
      if (step === undefined || !isMovable) return;
      move(step);
    } else if (event.key === 'ArrowDown') go(active + 1);
    else if (event.key === 'ArrowUp') go(active - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(items.length - 1);
    else if (event.key === 'PageDown') go(active + virtual.pageSize);
    else if (event.key === 'PageUp') go(active - virtual.pageSize);
    else if (event.key === 'ArrowRight') {
      if (current.isOpen === false) onToggle(current.id, true);
      else if (current.isOpen) go(active + 1);
    } else if (event.key === 'ArrowLeft') {
      if (current.isOpen) onToggle(current.id, false);
      else go(parentOf(active));
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (event.key === 'Enter' && onOpen) onOpen(current.id);
      else if (current.isOpen !== undefined) onToggle(current.id, !current.isOpen);
      else return;
    } else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLElement>, index: number) => {
    const clicked = items[index];
    if (clicked === undefined || (event.target instanceof Element && event.target.closest('button'))) return;
    setActiveId(clicked.id);
    const isArrow = event.target instanceof Element && event.target.closest('[data-arrow]') !== null;
    if (clicked.isOpen !== undefined && (isArrow || onOpen === undefined)) onToggle(clicked.id, !clicked.isOpen);
    else onOpen?.(clicked.id);
  };
  const dragOf = (dragged: TreeItem<Data>) =>
    onMove === undefined || canMove?.(dragged.id) === false
      ? {}
      : {
          draggable: true,
          onDragStart: (event: DragEvent) => event.dataTransfer.setData('text/x-triad-item', dragged.id),
        };
  const dropOn = (over: TreeItem<Data>) =>
    onMove === undefined || over.isOpen === undefined
      ? {}
      : {
          onDragOver: (event: DragEvent) => {
            if (!event.dataTransfer.types.includes('text/x-triad-item')) return;
            event.preventDefault();
            setTarget(over.id);
          },
          onDragLeave: () => setTarget(undefined),
          onDrop: (event: DragEvent) => {
            event.preventDefault();
            setTarget(undefined);
            const dragged = event.dataTransfer.getData('text/x-triad-item');
            if (dragged !== '' && dragged !== over.id) onMove(dragged, { kind: 'into', target: over.id });
          },
        };

  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={items.length === 0 ? undefined : `${id}-${active}`}
      className={styles.tree}
      style={{ maxHeight: Math.max(1, items.length) * rowHeight + 2 }}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={styles.body} style={{ height: virtual.height }}>
        {virtual.rows.map(({ index, top }) => {
          const shownItem = items[index];
          if (shownItem === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all items.
            <div
              key={shownItem.id}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={shownItem.depth + 1}
              aria-expanded={shownItem.isOpen}
              aria-selected={shownItem.id === selectedId}
              aria-posinset={places[index]?.position}
              aria-setsize={places[index]?.size}
              className={styles.item}
              data-active={index === active || undefined}
              data-target={shownItem.id === target || undefined}
              style={{ top, paddingInlineStart: shownItem.depth * 16 + 4 }}
              onClick={(event) => onClick(event, index)}
              {...dragOf(shownItem)}
              {...dropOn(shownItem)}
            >
              <span className={styles.arrow} data-arrow data-open={shownItem.isOpen || undefined}>
                {shownItem.isOpen !== undefined && <ChevronRight size={16} aria-hidden />}
              </span>
              {item(shownItem.data)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
