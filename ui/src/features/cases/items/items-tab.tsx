import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { Tree, type TreeMove } from '../../../design/data/records/tree.tsx';
import { SearchField } from '../../../design/forms/search-field.tsx';
import { Toolbar, ToolbarSpace } from '../../../design/layout/page.tsx';
import { SplitPane } from '../../../design/layout/split-pane.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands, useKeys } from '../../../keys/commands.tsx';
import { caseApi } from '../case-api.ts';
import type { CaseTabProps } from '../detail/case-page.tsx';
import { AddItemDialog } from './add-item-dialog.tsx';
import { ItemLabel } from './item-label.tsx';
import { ItemPanel } from './item-panel.tsx';
import { destinationOf, itemTree, ROOT, treeRows } from './item-tree.ts';
import styles from './items.module.css';
import { useRecordNames } from './use-record-names.ts';

/** Shows what belongs to a case as a tree, and the chosen item beside it. */
export function ItemsTab({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const { item: chosenId } = useSearch({ from: '/cases/$id' });
  const navigate = useNavigate({ from: '/cases/$id' });
  const [search, setSearch] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setAdding] = useState(false);
  const { case_id: id, items, title, updated } = present;
  const names = useRecordNames(id, updated);
  const tree = useMemo(() => itemTree(items ?? [], names), [items, names]);
  const rows = useMemo(() => treeRows(tree, { closed, search, names }), [tree, closed, search, names]);
  const chosen = chosenId === undefined ? undefined : tree.byId.get(chosenId);
  const createKeys = useKeys('create');
  useCommands([{ id: 'create', name: t('cases.items.add'), run: () => setAdding(true) }]);

  const open = (item: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, item: item === ROOT ? undefined : item }), replace: true });
  const toggle = (folder: string, isOpen: boolean) =>
    setClosed((before) => {
      const next = new Set(before);
      if (isOpen) next.delete(folder);
      else next.add(folder);
      return next;
    });
  const move = (item: string, to: TreeMove) => {
    const folder = destinationOf(tree, item, to);
    if (folder === undefined) return;
    void changes.run(() => caseApi.moveItem(id, item, { parent: folder === ROOT ? null : folder }));
  };
  const count = tree.byId.size;

  const list = (
    <div className={styles.list}>
      <Toolbar label={t('cases.tabs.items')}>
        <div className={styles.search}>
          <SearchField label={t('cases.items.search')} value={search} onChange={setSearch} />
        </div>
        <span role="status">{t('cases.items.count', { count: search.trim() === '' ? count : leavesOf(rows) })}</span>
        <ToolbarSpace />
        <Button icon={Plus} keys={createKeys} onClick={() => setAdding(true)}>
          {t('cases.items.add')}
        </Button>
      </Toolbar>
      {count === 0 ? (
        <EmptyState title={t('cases.items.none')}>{t('cases.items.noneText')}</EmptyState>
      ) : (
        <>
          <div className={styles.tree}>
            <Tree
              label={t('cases.tabs.items')}
              items={rows}
              item={(item) => <ItemLabel item={item} caseId={id} caseTitle={title} names={names} />}
              onToggle={toggle}
              onOpen={open}
              selectedId={chosenId}
              onMove={move}
              canMove={(item) => item !== ROOT && tree.byId.get(item)?.type !== 'case'}
            />
          </div>
          <p className={styles.hint}>{t('cases.items.moveHint')}</p>
        </>
      )}
    </div>
  );

  return (
    <>
      <SplitPane
        name="cases.items"
        label={t('cases.tabs.items')}
        first={list}
        second={
          chosen === undefined ? undefined : (
            <ItemPanel
              key={chosen.id}
              item={chosen}
              tree={tree}
              present={present}
              changes={changes}
              onClose={() => open(undefined)}
            />
          )
        }
      />
      {isAdding ? (
        <AddItemDialog
          caseId={id}
          tree={tree}
          parent={chosen?.type === 'folder' ? chosen.id : (chosen && tree.parentOf.get(chosen.id)) || ROOT}
          onClose={() => setAdding(false)}
          onAdd={async (item) => {
            await changes.write(() => caseApi.addItem(id, item));
            setAdding(false);
          }}
        />
      ) : null}
    </>
  );
}

/** The items that a search found, without the folders on the way. */
function leavesOf(rows: ReturnType<typeof treeRows>): number {
  return rows.filter(({ data, isOpen }) => data !== null && isOpen === undefined).length;
}
