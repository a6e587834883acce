import { Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { ClassificationMark } from '../../../design/data/marks/classification-marks.tsx';
import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { Form } from '../../../design/forms/form.tsx';
import { TextArea } from '../../../design/forms/text-area.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { Pane } from '../../../design/layout/page.tsx';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { useDraftName } from '../../saved/draft-name.ts';
import { type Case, type CaseItem, caseApi } from '../case-api.ts';
import type { CaseChanges } from '../detail/use-case-changes.tsx';
import { folderOptions } from './folder-options.ts';
import { ItemContent } from './item-content.tsx';
import { typeName } from './item-label.tsx';
import { type ItemTree, itemName, ROOT } from './item-tree.ts';
import styles from './items.module.css';

interface Props {
  readonly item: CaseItem;
  readonly tree: ItemTree;
  readonly present: Case;
  readonly changes: CaseChanges;
  readonly onClose: () => void;
}

/** Shows one item, and lets a person rename, move, rewrite or remove it. */
export function ItemPanel({ item, tree, present, changes, onClose }: Props) {
  const { t } = useTranslation();
  const [isRemoving, setRemoving] = useState(false);
  useCommands([{ id: 'close', run: onClose }]);
  const inside = tree.children.get(item.id)?.length ?? 0;
  return (
    <Pane
      title={typeName(t, item.type)}
      actions={
        <>
          <Button kind="quiet" icon={Trash2} onClick={() => setRemoving(true)}>
            {t('cases.items.remove')}
          </Button>
          <IconButton icon={X} label={t('common.close')} onClick={onClose} />
        </>
      }
    >
      <div className={styles.panel}>
        {item.classification === undefined ? null : (
          <div>
            <ClassificationMark value={item.classification} />
          </div>
        )}
        <ItemContent item={item} present={present} inside={inside} />
        <ItemForm
          // What others change arrives as a new form.
          key={`${item.name} ${item.parent} ${item.value}`}
          caseId={present.case_id}
          item={item}
          tree={tree}
          onSave={changes.changeItem}
        />
      </div>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('cases.items.removeTitle')}
        confirmLabel={t('cases.items.remove')}
        danger
        onConfirm={async () => {
          await changes.write(() => caseApi.removeItems(present.case_id, [item.id]));
          onClose();
        }}
      >
        {inside === 0 ? t('cases.items.removeText') : t('cases.items.removeFolder', { count: inside })}
      </ConfirmDialog>
    </Pane>
  );
}

interface FormProps extends Pick<Props, 'item' | 'tree'> {
  readonly caseId: string;
  readonly onSave: CaseChanges['changeItem'];
}

function ItemForm({ caseId, item, tree, onSave }: FormProps) {
  const { t } = useTranslation();
  const before: FormValues = {
    name: itemName(item),
    parent: tree.parentOf.get(item.id) ?? ROOT,
    value: item.value,
  };
  const form = useForm<FormValues>({
    initial: before,
    draft: useDraftName('case-item', `${caseId}.${item.id}`),
    validate: ({ name, value }) => ({
      name: name.trim() === '' ? t('common.required') : undefined,
      value: hasOwnValue(item) && value.trim() === '' ? t('common.required') : undefined,
    }),
    submit: ({ name, parent = ROOT, value }, { seen }) =>
      onSave(
        { id: item.id, value: seen.value },
        {
          ...(name === before.name ? {} : { name: name.trim() }),
          ...(parent === before.parent ? {} : { parent: parent === ROOT ? null : parent }),
          ...(value === before.value ? {} : { value: value.trim() }),
        },
      ),
  });
  return (
    <Form form={form} label={t('cases.items.change')} submitLabel={t('common.save')}>
      {item.type === 'markdown' ? (
        <TextArea label={t('cases.items.text')} rows={8} data {...form.field('value')} />
      ) : null}
      {item.type === 'reference' ? <TextField label={t('cases.items.address')} data {...form.field('value')} /> : null}
      <TextField label={t('common.name')} {...form.field('name')} />
      {item.type === 'case' ? null : (
        <Combobox
          label={t('cases.items.folder')}
          options={folderOptions(tree, t('cases.items.root'), item.id)}
          {...form.field('parent')}
        />
      )}
    </Form>
  );
}

/** The value of other items names a record, a case or the folder itself. */
function hasOwnValue({ type }: CaseItem): boolean {
  return type === 'markdown' || type === 'reference';
}

interface FormValues {
  readonly name: string;
  readonly parent: string | undefined;
  readonly value: string;
}
