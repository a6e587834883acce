import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { useCommands } from '../../keys/commands.tsx';
import { ROW_STEPS, type RowStep, rowAfter, rowStepOf } from '../../keys/row-steps.ts';

/** Rows that a key for a page passes. */
const PAGE_SIZE = 10;
/** The control that opens a row, the likeliest first: its link, else the button that its first cell is. */
const MAIN_CONTROLS = ['a[href]', 'td:first-child button:only-child'];
const OWN_KEYS = 'input, textarea, select, [role=combobox], [aria-haspopup]';

export interface RowFocus {
  readonly table: RefObject<HTMLElement | null>;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/**
 * Moves the focus between the rows of a small table, all of which are in the page; Enter opens what a
 * row is about.
 * @param isPageList true: the keys work wherever the focus is on the page
 */
export function useRowFocus(isPageList: boolean): RowFocus {
  const table = useRef<HTMLElement>(null);
  const rows = () => [...(table.current?.querySelectorAll<HTMLElement>('tbody > tr') ?? [])];
  const activeRow = () => rows().find((row) => row.contains(document.activeElement));
  const walk = (step: RowStep) => {
    const all = rows();
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const place = { activeIndex: at === -1 ? undefined : at, rowCount: all.length, pageSize: PAGE_SIZE };
    all[rowAfter(step, place) ?? -1]?.focus();
  };
  const open = () => {
    const row = activeRow();
    const controls = MAIN_CONTROLS.map((selector) => row?.querySelector<HTMLElement>(selector));
    controls.find((control) => control != null)?.click();
  };
  useCommands(
    isPageList ? [...ROW_STEPS.map((id) => ({ id, run: () => walk(id) })), { id: 'open' as const, run: open }] : [],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!(target instanceof Element) || target.closest(OWN_KEYS) !== null) return;
    const step = rowStepOf(key);
    if (step !== undefined) walk(step);
    else if (key === 'Enter' && target === activeRow()) open();
    else return;
    event.preventDefault();
  };
  return { table, onKeyDown };
}
