// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Days and months that a question says by their names, in any language that Intl knows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { daysSaid, saidFor } from "../../src/conversation/strategies/plan/said-days.ts";

const today = new Date("2026-11-30T23:30:00"); // a Monday
const days = (text: string, language: string | null) => daysSaid(text, language, today).day;
const months = (text: string, language: string | null) => daysSaid(text, language, today).month;

test("a day is said by its name, near or of the week, in each language", () => {
  const said: [language: string, text: string, day: string][] = [
    ["en", "Am I busy the day after tomorrow?", "2026-12-02"],
    ["en", "What did I do the day before yesterday?", "2026-11-28"],
    ["en", "Anything TODAY?", "2026-11-30"],
    ["it", "Che impegni ho dopodomani?", "2026-12-02"],
    ["it", "Cosa ho in agenda giovedi", "2026-12-03"],
    ["de", "Was steht übermorgen an?", "2026-12-02"],
    ["de", "Bin ich am Freitagnachmittag frei?", "2026-12-04"],
    ["es", "¿Estoy libre pasado mañana?", "2026-12-02"],
    ["fr", "Après-demain, j'ai quelque chose ?", "2026-12-02"],
    ["fr", "Des rendez-vous aujourd'hui ?", "2026-11-30"],
    ["nl", "Heb ik morgen afspraken?", "2026-12-01"],
    ["pt", "Tenho alguma coisa na quinta-feira?", "2026-12-03"],
    ["pl", "Co mam w kalendarzu w środę?", "2026-12-02"],
    ["ru", "Что у меня в пятницу?", "2026-12-04"],
    ["el", "Τι έχω αύριο;", "2026-12-01"],
    ["zh", "明天下午三点有什么安排？", "2026-12-01"],
    ["ja", "明後日の予定は？", "2026-12-02"],
    ["ko", "내일 일정 있어?", "2026-12-01"],
    ["ar", "ماذا لدي غدًا؟", "2026-12-01"],
  ];
  for (const [language, text, day] of said) assert.deepEqual(days(text, language), [day], text);
});

test("a weekday is the next one, and next week its Monday", () => {
  assert.deepEqual(days("On Monday?", "en"), ["2026-12-07"]);
  for (const text of ["la próxima semana", "La semana próxima", "próxima semana"])
    assert.deepEqual(days(text, "es"), ["2026-12-07"], text);
});

test("a day of a month is said in any order and with small words inside", () => {
  for (const text of ["December 24", "24 December", "the 24th of December", "December 24th"])
    assert.deepEqual(days(text, "en"), ["2026-12-24"], text);
  assert.deepEqual(days("el 6 de enero", "es"), ["2027-01-06"]);
  assert.deepEqual(days("am 12. Dezember", "de"), ["2026-12-12"]);
  assert.deepEqual(days("15 grudnia", "pl"), ["2026-12-15"]);
  assert.deepEqual(days("12月15日の予定", "ja"), ["2026-12-15"]);
  assert.deepEqual(days("3月5日", "zh"), ["2027-03-05"]);
  assert.deepEqual(days("at 9 on May 5", "en"), ["2027-05-05"]);
  assert.deepEqual(days("Am I free on November 30?", "en"), ["2026-11-30"]);
});

test("a month is said by its name, the last that has begun, or as this one, the last, the next", () => {
  const said: [language: string, text: string, month: string][] = [
    ["en", "What did I spend in September?", "2026-09"],
    ["en", "What did I spend in December?", "2025-12"],
    ["it", "Quanto ho speso questo mese?", "2026-11"],
    ["it", "Quanto ho speso il mese scorso?", "2026-10"],
    ["fr", "et ce mois-ci ?", "2026-11"],
    ["pl", "w październiku", "2026-10"],
    ["zh", "上个月花了多少？", "2026-10"],
  ];
  for (const [language, text, month] of said)
    assert.deepEqual(months(text, language), [month], text);
});

test("common words that begin like a day or a month say none", () => {
  const none: [language: string, text: string][] = [
    ["en", "How much did I send to Marco and Marcia?"],
    ["en", "May I have 2 coffees? How much may I spend?"],
    ["en", "March on, it said"],
    ["it", "La maggior parte di Marzia, a Marte, sul lago Maggiore"],
    ["de", "Wann ist die Montage vom Morgenmantel des Augustiners? morgens"],
    ["nl", "maar morgens niet"],
    ["es", "Llama a Julia para abrir el abrigo de Marte"],
    ["pt", "Marcar e abrir"],
    ["pl", "Marcin w środku"],
    ["ru", "Найди рецепт на завтрак среди четверти"],
    ["zh", "三星期后有什么安排"],
    ["zh", "下周五有什么安排"],
  ];
  for (const [language, text] of none) {
    assert.deepEqual(days(text, language), [], text);
    assert.deepEqual(months(text, language), [], text);
  }
});

test("the names of a day have their order, and a weekday that is past is another", () => {
  for (const text of ["demain après-midi", "demain après le déjeuner"])
    assert.deepEqual(days(text, "fr"), ["2026-12-01"], text);
  assert.deepEqual(days("amanhã depois de almoçar", "pt"), ["2026-12-01"]);
  assert.deepEqual(days("hier avant midi", "fr"), ["2026-11-29"]);
  const past = {
    en: "last Monday",
    it: "lunedì scorso",
    es: "el lunes pasado",
    ru: "в прошлую пятницу",
  };
  for (const [language, text] of Object.entries(past))
    assert.deepEqual(days(text, language), [], text);
  assert.deepEqual(days("venerdì prossimo", "it"), ["2026-12-04"]);
});

test("a morning and a greeting are no tomorrow", () => {
  assert.deepEqual(days("Guten Morgen! Was habe ich heute vor?", "de"), ["2026-11-30"]);
  assert.deepEqual(days("heute Morgen", "de"), ["2026-11-30"]);
  assert.deepEqual(days("morgen früh", "de"), ["2026-12-01"]);
  assert.deepEqual(days("Goedemorgen, wat heb ik vandaag?", "nl"), ["2026-11-30"]);
  assert.deepEqual(days("¿Qué tengo el viernes por la mañana?", "es"), ["2026-12-04"]);
  assert.deepEqual(days("mañana por la mañana", "es"), ["2026-12-01"]);
});

test("what only looks like a day is none", () => {
  assert.deepEqual(days("Wann habe ich Dienst?", "de"), []);
  assert.deepEqual(days("Anything planned this weekend?", "en"), []);
  assert.deepEqual(days("my appointments of the first week of December", "en"), []);
  assert.deepEqual(months("Raconte-moi une blague mardi", "fr"), []);
  assert.deepEqual(months("Was kosten Aprikosen?", "de"), []);
  assert.deepEqual(days("What happened 2 days ago?", "en"), []);
});

test("nothing is found in an unknown language, in a long text, nor where a year is said", () => {
  assert.deepEqual(days("On Friday?", null), []);
  assert.deepEqual(days("On Friday? venerdì, 5 marzo", "ty"), []);
  assert.deepEqual(days(`On Friday? ${"word ".repeat(200)}`, "en"), []);
  for (const text of ["24 December 2027", "Who was born on 4 July 1990?"])
    assert.deepEqual(days(text, "en"), [], text);
  assert.deepEqual(days("Did I spend 20000 euros on Friday?", "en"), ["2026-12-04"]);
  assert.deepEqual(months("September 2024", "en"), []);
});

test("several days are all told, and then none of them is meant", () => {
  const said = daysSaid("Move it from Friday to Saturday", "en", today);
  assert.deepEqual([...said.day].sort(), ["2026-12-04", "2026-12-05"]);
  assert.equal(saidFor({ type: "string", format: "date" }, said, today), null);
});

test("a choice is meant when its word is the day's", () => {
  const about = { enum: ["now", "today", "tomorrow"] };
  const meant = (text: string, language: string) =>
    saidFor(about, daysSaid(text, language, today), today);
  assert.equal(meant("Wie wird das Wetter morgen in Wien?", "de"), "tomorrow");
  assert.equal(meant("Che tempo fa oggi?", "it"), "today");
  assert.equal(meant("Che tempo fa giovedì?", "it"), null);
  const said = daysSaid("domani", "it", today);
  assert.equal(saidFor({ enum: ["tomorrow", "Tomorrow"] }, said, today), null);
  assert.equal(saidFor({ enum: [1, null] }, said, today), null);
  assert.equal(saidFor({ type: "string" }, said, today), null);
});
