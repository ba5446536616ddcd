// The lines that say who wrote an earlier message in a mail, in several languages, as mail programs write them.

const MAX_ATTRIBUTION_CHARACTERS = 300
// "On Friday, Ann wrote:", "Am 16.10.2026 schrieb Ann:", "Le 16 octobre, Ann a écrit :", "El 16 de octubre, Ann escribió:" and others.
const WROTE =
  /(?:\s(?:wrote|writes|geschrieben|a écrit|escribió|escribe|ha scritto|escreveu|a scris|yazdı|đã viết|έγραψε|написала?|пишет|napisał(?:\(a\)|a)?)|\s(?:schrieb|schreef|skrev|kirjoitti|írta|wrote on)(?:\s.*)?|書きました|のメール|写道|寫道|님이 작성)\s?[:：]$/iu
// Attributions without a verb: "2026年10月16日(金) 11:05 Ann <ann@example.org>:".
const ADDRESS_AND_TIME = /\d[:.h]\d\d\b.*<[^<>@\s]+@[^<>@\s]+>\s?[:：]$/u
const BEGINNING = /^(?:(?:On|Am|Le|El|Il|Op|Em|Den|På|Dnia|W dniu|În|Vào|Στις)\s|\d|\p{L}{2,4}[.,]\s)/u

/** Whether a line may be the end of the line above a quoted message, which says who wrote it. */
export const isAttribution = (text: string): boolean =>
  text.length <= MAX_ATTRIBUTION_CHARACTERS && (WROTE.test(text) || ADDRESS_AND_TIME.test(text))

/** Whether a line is a whole attribution with a date. */
export const isDatedAttribution = (text: string): boolean =>
  isAttribution(text) && BEGINNING.test(text) && /\d/.test(text)

// The names of the header lines that Outlook and others put above an earlier message.
const FROM = '(?:From|Von|De|Da|Van|Från|Fra|Od|От|差出人|发件人|寄件者|寄件人|보낸 사람)\\s?[:：]'
const DATE =
  '(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Fecha|Inviato|Data|Verzonden|Skickat|Sendt|Wysłano|Отправлено|送信日時|日付|发送时间|日期|寄件日期|보낸 날짜|날짜)\\s?[:：]'

/** Match a header line with the sender or the date. Text that was bold may have asterisks around it. */
export const FROM_LINE = new RegExp(`^\\*?${FROM}\\*?\\s*\\S`, 'u')
export const DATE_LINE = new RegExp(`^\\*?${DATE}\\*?\\s*\\S`, 'u')
const HEADER_AS_HEADING = new RegExp(`(?:^|, )${FROM} .*, ${DATE}`, 'u')

const SEPARATOR_TEXT =
  /^(?:original message|forwarded message|ursprüngliche nachricht|original-nachricht|weitergeleitete nachricht|message d['’]origine|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|元のメッセージ|転送されたメッセージ|転送メッセージ|原始邮件|转发的邮件|원본 메시지|전달된 메시지)$/iu

/** Whether the text between two rules says that an earlier message follows: "Original Message". */
export const isSeparatorText = (text: string): boolean => SEPARATOR_TEXT.test(text)

/**
 * Whether a heading is that of an earlier message quoted in a mail: "On Friday, Ann wrote:", "From: Ann, Sent: Friday", "Forwarded
 * Message". Headings of other documents may read the same.
 */
export const isMessageHeading = (heading: string): boolean =>
  isAttribution(heading) || isSeparatorText(heading) || HEADER_AS_HEADING.test(heading)
