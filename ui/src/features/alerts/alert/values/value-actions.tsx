import { createContext, type MouseEvent, type ReactNode, useContext, useMemo, useState } from 'react';
import { ContextMenu } from '../../../../design/overlays/context-menu.tsx';
import { useCommands } from '../../../../keys/commands.tsx';
import { type FieldValue, valueOfElement } from './field-values.ts';
import { LookUpDialog } from './look-up-dialog.tsx';
import styles from './value-actions.module.css';
import { ValueMenuItems } from './value-menu-items.tsx';

/** The uses that a page around the pane has for a value. Absent: the pane leaves the command out. */
export interface ValueCallbacks {
  /** Adds a filter to the search. */
  readonly onFilter?: ((field: string, value: string, kind: 'include' | 'exclude') => void) | undefined;
  /** Shows a field as a column of the list. */
  readonly onPinColumn?: ((field: string) => void) | undefined;
  /** Searches for a query instead of the present one. */
  readonly onSearch?: ((query: string) => void) | undefined;
}

export interface ValueActions extends ValueCallbacks {
  readonly lookUp: (value: FieldValue) => void;
}

const ValueActionsContext = createContext<ValueActions>({ lookUp: () => undefined });

export function useValueActions(): ValueActions {
  return useContext(ValueActionsContext);
}

interface Props {
  /** Id of the record whose values are inside. */
  readonly record: string;
  readonly callbacks: ValueCallbacks;
  readonly children: ReactNode;
}

/** Gives the values inside a context menu, and `i` a meaning for the value that has the focus. */
export function ValueActionsProvider(props: Props) {
  const { record } = props;
  const { onFilter, onPinColumn, onSearch } = props.callbacks;
  const [lookedUp, lookUp] = useState<FieldValue | undefined>(undefined);
  const [lastPointed, setPointed] = useState<{ readonly record: string; readonly value: FieldValue | undefined }>();
  // A value of another record is not on the screen any more.
  const pointed = lastPointed?.record === record ? lastPointed.value : undefined;
  const actions = useMemo(() => ({ onFilter, onPinColumn, onSearch, lookUp }), [onFilter, onPinColumn, onSearch]);
  useCommands([
    {
      id: 'lookUp',
      run: () => {
        const value = valueOfElement(document.activeElement) ?? selectedValue() ?? pointed;
        if (value !== undefined) lookUp(value);
      },
    },
  ]);
  const keepNativeMenu = (event: MouseEvent) => {
    // Where no value is, the menu of the browser is of more use.
    if (event.target instanceof Element && valueOfElement(event.target) === undefined) event.stopPropagation();
  };
  return (
    <ValueActionsContext value={actions}>
      <div className={styles.values} onContextMenuCapture={keepNativeMenu}>
        <ContextMenu
          target={<div className={styles.values}>{props.children}</div>}
          onOpen={(element) => setPointed({ record, value: valueOfElement(element) })}
        >
          {pointed === undefined ? null : <ValueMenuItems of={pointed} />}
        </ContextMenu>
      </div>
      {lookedUp === undefined ? null : <LookUpDialog of={lookedUp} onClose={() => lookUp(undefined)} />}
    </ValueActionsContext>
  );
}

/** Returns the selected text as a value without a field. */
function selectedValue(): FieldValue | undefined {
  const value = document.getSelection()?.toString().trim() ?? '';
  return value === '' ? undefined : { field: '', value };
}
