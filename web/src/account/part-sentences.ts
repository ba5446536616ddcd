// What the service says about its parts, in the chosen language: in English its own message, as with errors
// (language/error-text.ts).

import type { PartHealth, PartSentence, PartSentenceType } from '../../../src/contract/health.ts'
import { language } from '../language/locale.ts'
import { message, t } from '../language/text.tsx'
import { formatBytes, formatCount } from '../parts/format.ts'

const SENTENCES: Record<Exclude<PartSentenceType, 'reported'>, string> = {
  database: message('PostgreSQL {version}, {bytes}'),
  no_worker: message(
    'no worker has reported for five minutes, so nothing is read: start one, or look at the log of the service',
  ),
  other_version: message(
    'a worker on {machine} runs version {worker_version}, and this process {version}: finish the update',
  ),
  one_worker: message('one runs, on {machines}'),
  workers: message('{count} run, on {machines}'),
  no_upload: message('no file was uploaded in the last day'),
  one_file_read: message('1 file was read in the last day'),
  files_read: message('{count} files were read in the last day'),
  files_failed: message('{count} could not be read: see the failed files below'),
  unknown_space: message('the free space cannot be seen: look at the log of the service'),
  space_for_files: message('{bytes} free for files'),
  space_on_machine: message('{bytes} free on {machine}'),
  little_space_for_files: message('only {bytes} free for files: make room, or move the data folder'),
  little_space_on_machine: message('only {bytes} free on {machine}: make room, or move the data folder'),
  backup_failed: message('the last one failed: {reason}'),
  no_backup: message('none was ever made here: make one under Health, or with kenning backup FOLDER'),
  old_backup: message('the last one is {days} days old: make another'),
  backup_today: message('made within a day'),
  backup_yesterday: message('the last one is a day old'),
  backup: message('the last one is {days} days old'),
  no_model: message('none: questions are answered with quotations; choose one under Models'),
  model_answers: message('{model} at {host}, which answers'),
  model_fails_of_environment: message('{reason}: check KENNING_LLM_URL and the server'),
  model_fails_of_settings: message('{reason} Change it under Models.'),
  no_embeddings: message('none: searches go by words alone'),
  builtin_embeddings: message('{model}: the model of the package'),
  embeddings_answer: message('{model} answers'),
  embeddings_fail: message(
    '{reason}: searches go by words alone meanwhile; check the server of the embeddings',
  ),
  refilling: message(
    '{embedded} of {chunks} passages have its vectors, and a workspace is searched with them once all of its own have',
  ),
  no_reranker: message('none: searches keep their own order'),
  reranker_answers: message('answers'),
  reranker_silent: message('does not answer: searches keep their own order meanwhile; check its server'),
  unknown_recognition: message('not known without a worker'),
  queue_empty: message('empty'),
  queue: message('tasks: {waiting} waiting, {running} running'),
  queue_slow: message(
    'a file has waited for {minutes} minutes: more cores, or another worker (KENNING_ROLE=worker), would read them sooner',
  ),
  queue_stuck: message('a file has waited for {minutes} minutes: is a worker running?'),
}

export const partText = ({ message, sentences }: PartHealth): string =>
  language === 'en' ? message : sentences.map(sentenceText).join('; ')

function sentenceText({ type, values }: PartSentence): string {
  if (type === 'reported') return String(values.reason ?? '')
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : name === 'bytes' ? formatBytes(value) : formatCount(value),
  ])
  return t(SENTENCES[type], Object.fromEntries(texts))
}
