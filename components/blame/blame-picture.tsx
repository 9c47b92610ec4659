'use client';

import { ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTargetId } from '@/components/hooks';
import { KeyText, lockHref, useDurationText } from '@/components/labels';
import { Button, buttonClass } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import { nodeId, nodesAlong, type BlameNode } from './blame-tree';
import { Icicle } from './icicle';
import { useBlameWords } from './use-blame-words';

interface Props {
  tree: BlameNode;
  zoom: readonly string[];
  onZoom: (path: readonly string[]) => void;
}

/** The drill-down: the way to the part that is shown, the part itself, and the same as a table. */
export function BlamePicture({ tree, zoom, onZoom }: Props) {
  const t = useTranslations('blame');
  const along = nodesAlong(tree, zoom);
  const root = along.at(-1) ?? tree;
  const out = (): void => onZoom(along.at(-2)?.path ?? []);
  const isZoomed = along.length > 1;
  return (
    <Panel
      title={t('picture')}
      description={t('pictureHint')}
      actions={
        isZoomed && (
          <>
            <LockLink node={root} />
            <Button look="ghost" icon={<Undo2 size={13} aria-hidden />} onClick={out}>
              {t('out')}
            </Button>
          </>
        )
      }
    >
      {isZoomed && <Crumbs along={along} onZoom={onZoom} />}
      <Icicle
        root={root}
        totalMs={tree.waitMs}
        isZoomed={isZoomed}
        onZoom={(node) => onZoom(node.path)}
        onOut={out}
      />
      <TreeTable root={root} totalMs={tree.waitMs} />
    </Panel>
  );
}

/** From the part of a lock to the lock itself. */
function LockLink({ node }: { node: BlameNode }) {
  const t = useTranslations('blame');
  const target = useTargetId();
  const lock = node.level === 'lock' || node.level === 'holder' ? node.leaf?.lock : null;
  if (!lock || target === null) return null;
  const { db, keyB64 } = lock;
  return (
    <PageLink
      href={lockHref({ target, db, keyB64 })}
      prefetch={false}
      className={buttonClass('secondary')}
    >
      {t('openLock')}
    </PageLink>
  );
}

function Crumbs({
  along,
  onZoom,
}: {
  along: readonly BlameNode[];
  onZoom: (path: readonly string[]) => void;
}) {
  const t = useTranslations('blame');
  const words = useBlameWords();
  return (
    <nav aria-label={t('crumbs')} className="mb-2">
      <ol className="flex min-w-0 flex-wrap items-center gap-1 text-xs">
        {along.map((node, index) => {
          const isLast = index === along.length - 1;
          const name = words.node(node);
          return (
            <li key={nodeId(node)} className="flex max-w-full min-w-0 items-center gap-1">
              {index > 0 && <ChevronRight size={12} aria-hidden className="shrink-0 text-ink-3" />}
              {isLast ? (
                <span aria-current="location" className="flex min-w-0 font-medium">
                  <Crumb level={node.level} name={name} />
                </span>
              ) : (
                <button
                  type="button"
                  onClick={() => onZoom(node.path)}
                  className="flex min-w-0 text-accent-ink hover:underline"
                >
                  <Crumb level={node.level} name={name} />
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

const Crumb = ({ level, name }: { level: BlameNode['level']; name: string }) =>
  level === 'all' ? <>{name}</> : <KeyText text={name} className="max-w-72" />;

interface Line {
  node: BlameNode;
  depth: number;
}

const SHOWN_LINES = 200;

function linesOf(node: BlameNode, depth = 0): Line[] {
  return [{ node, depth }, ...node.children.flatMap((child) => linesOf(child, depth + 1))];
}

/** The picture in words and figures; made only when somebody opens it. */
function TreeTable({ root, totalMs }: { root: BlameNode; totalMs: number }) {
  const t = useTranslations('blame');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="mt-1 text-xs text-ink-3"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="hover:text-ink">{t('table')}</summary>
      {isOpen && <TreeRows root={root} totalMs={totalMs} />}
    </details>
  );
}

function TreeRows({ root, totalMs }: { root: BlameNode; totalMs: number }) {
  const t = useTranslations('blame');
  const words = useBlameWords();
  const duration = useDurationText();
  const all = linesOf(root);
  const columns: Column<Line>[] = [
    {
      id: 'name',
      header: t('tableName'),
      className: 'max-w-48 sm:max-w-96',
      cell: ({ node, depth }) => (
        <span className="flex min-w-0 items-baseline gap-1.5" style={{ paddingLeft: depth * 14 }}>
          <span className="shrink-0 text-xs text-ink-3">
            {node.leftOut > 0 || node.level === 'all' ? null : t(`levels.${node.level}`)}
          </span>
          <KeyText text={words.node(node)} />
        </span>
      ),
    },
    {
      id: 'wait',
      header: t('columns.wait'),
      align: 'end',
      cell: ({ node }) => duration(node.waitMs),
    },
    {
      id: 'share',
      header: t('columns.share'),
      align: 'end',
      cell: ({ node }) => t('shareText', { share: totalMs === 0 ? 0 : node.waitMs / totalMs }),
    },
  ];
  return (
    <div className="mt-1 max-h-80 overflow-y-auto text-ink">
      <DataTable
        caption={t('tableCaption')}
        columns={columns}
        rows={all.slice(0, SHOWN_LINES)}
        rowKey={({ node }) => nodeId(node)}
      />
      {all.length > SHOWN_LINES && (
        <p className="px-3 py-2">{t('listCut', { shown: SHOWN_LINES, total: all.length })}</p>
      )}
    </div>
  );
}
