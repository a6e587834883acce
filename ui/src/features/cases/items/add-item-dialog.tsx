import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { Select } from '../../../design/forms/choices/select.tsx';
import { Form } from '../../../design/forms/form.tsx';
import { forgetDraft } from '../../../design/forms/form-draft.ts';
import { TextArea } from '../../../design/forms/text-area.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useDraftName } from '../../saved/draft-name.ts';
import { ITEM_TYPES, type ItemType, type NewItem } from '../case-api.ts';
import { folderOptions } from './folder-options.ts';
import { type ItemTree, ROOT } from './item-tree.ts';

interface Props {
  readonly caseId: string;
  readonly tree: ItemTree;
  /** The folder that is offered first. */
  readonly parent: string;
  readonly onClose: () => void;
  readonly onAdd: (item: NewItem) => Promise<void>;
}

interface Values {
  readonly type: ItemType;
  readonly value: string;
  readonly name: string;
  readonly parent: string | undefined;
}

/** Asks for a new item: a record or case by its identifier, a reference, notes or a folder. */
export function AddItemDialog({ caseId, tree, parent, onClose, onAdd }: Props) {
  const { t } = useTranslation();
  const draft = useDraftName('case-item', caseId);
  const form = useForm<Values>({
    initial: { type: 'hit', value: '', name: '', parent },
    draft,
    validate: ({ type, value, name }) => ({
      value: type !== 'folder' && value.trim() === '' ? t('common.required') : undefined,
      name: needsName(type) && name.trim() === '' ? t('common.required') : undefined,
    }),
    submit: ({ type, value, name, parent: folder = ROOT }) =>
      onAdd({
        type,
        value: type === 'folder' ? name.trim() : value.trim(),
        name: name.trim() === '' ? null : name.trim(),
        parent: type === 'case' || folder === ROOT ? null : folder,
      }),
  });
  const { type } = form.values;
  const cancel = () => {
    forgetDraft(draft);
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={t('cases.items.add')} size="small">
      <Form form={form} label={t('cases.items.add')} submitLabel={t('cases.items.addSubmit')} onCancel={cancel}>
        <Select
          label={t('cases.items.type')}
          options={ITEM_TYPES.map((value) => ({ value, label: t(`cases.types.${value}`) }))}
          {...form.field('type')}
        />
        {type === 'markdown' ? <TextArea label={t('cases.items.text')} rows={8} data {...form.field('value')} /> : null}
        {type === 'markdown' || type === 'folder' ? null : (
          <TextField
            label={t(type === 'reference' ? 'cases.items.address' : 'cases.items.identifier')}
            data
            {...form.field('value')}
          />
        )}
        <TextField label={t('common.name')} optional={!needsName(type)} {...form.field('name')} />
        {type === 'case' ? null : (
          <Combobox
            label={t('cases.items.folder')}
            options={folderOptions(tree, t('cases.items.root'))}
            {...form.field('parent')}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** Others are called after the record or address that they stand for. */
function needsName(type: ItemType): boolean {
  return type === 'folder' || type === 'markdown';
}
