// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The language of a question: right or null, hardly ever wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf, languagesOf } from "../../src/conversation/language.ts";

/** Written after the rules and their bounds, which were made on other questions. */
const questions = {
  en: `
    how old is the Eiffel Tower
    close all windows
    did Luca answer my message?
    what is 15 percent of 80
    show me the biggest files in Downloads
    who wrote Don Quijote
    is my battery full?
    copy the last answer
    what should I cook tonight
    rename this file to invoice`,
  it: `
    quanti anni ha la Torre Eiffel
    chiudi tutte le finestre
    Lukas ha risposto al mio messaggio?
    quanto fa il 15 per cento di 80
    mostrami i file più grandi in Download
    chi ha scritto Don Quijote
    la batteria è carica?
    copia l'ultima risposta
    cosa cucino stasera
    rinomina questo file in fattura`,
  de: `
    wie alt ist der Eiffelturm
    schließ alle Fenster
    hat Luca auf meine Nachricht geantwortet?
    was sind 15 Prozent von 80
    zeig mir die größten Dateien in Downloads
    wer hat Don Quijote geschrieben
    ist mein Akku voll?
    kopiere die letzte Antwort
    was soll ich heute Abend kochen
    benenne diese Datei in Rechnung um`,
  es: `
    cuántos años tiene la Torre Eiffel
    cierra todas las ventanas
    ¿ha respondido Luca a mi mensaje?
    cuánto es el 15 por ciento de 80
    muéstrame los archivos más grandes de Descargas
    quién escribió Don Quijote
    ¿está llena la batería?
    copia la última respuesta
    qué cocino esta noche
    renombra este archivo a factura`,
  fr: `
    quel âge a la tour Eiffel
    ferme toutes les fenêtres
    est-ce que Luca a répondu à mon message ?
    combien font 15 pour cent de 80
    montre-moi les plus gros fichiers de Téléchargements
    qui a écrit Don Quijote
    la batterie est pleine ?
    copie la dernière réponse
    que cuisiner ce soir
    renomme ce fichier en facture`,
  pt: `
    quantos anos tem a Torre Eiffel
    fecha todas as janelas
    o Luca respondeu à minha mensagem?
    quanto é 15 por cento de 80
    mostra os ficheiros maiores em Transferências
    quem escreveu Don Quijote
    a bateria está cheia?
    copia a última resposta
    o que cozinho hoje à noite
    muda o nome deste ficheiro para fatura`,
  nl: `
    hoe oud is de Eiffeltoren
    sluit alle vensters
    heeft Luca op mijn bericht geantwoord?
    hoeveel is 15 procent van 80
    toon de grootste bestanden in Downloads
    wie schreef Don Quijote
    is mijn batterij vol?
    kopieer het laatste antwoord
    wat zal ik vanavond koken
    hernoem dit bestand naar factuur`,
  pl: `
    ile lat ma wieża Eiffla
    zamknij wszystkie okna
    czy Luca odpowiedział na moją wiadomość?
    ile to jest 15 procent z 80
    pokaż największe pliki w Pobrane
    kto napisał Don Quijote
    czy bateria jest pełna?
    skopiuj ostatnią odpowiedź
    co ugotować dziś wieczorem
    zmień nazwę tego pliku na faktura`,
  ru: `
    сколько лет Эйфелевой башне
    закрой все окна
    Лука ответил на моё сообщение?
    сколько будет 15 процентов от 80
    покажи самые большие файлы в загрузках
    кто написал Don Quijote
    батарея заряжена?
    скопируй последний ответ
    что приготовить на ужин
    переименуй этот файл в счёт`,
  el: `
    πόσο χρονών είναι ο Πύργος του Άιφελ
    κλείσε όλα τα παράθυρα
    απάντησε ο Luca στο μήνυμά μου;
    πόσο κάνει το 15 τοις εκατό του 80
    δείξε μου τα μεγαλύτερα αρχεία
    ποιος έγραψε τον Don Quijote
    είναι γεμάτη η μπαταρία;
    αντίγραψε την τελευταία απάντηση
    τι να μαγειρέψω απόψε
    μετονόμασε αυτό το αρχείο`,
  ja: `
    エッフェル塔は何年前に建てられた?
    ウィンドウを全部閉じて
    Lucaは返事をくれた?
    80の15パーセントはいくつ
    ダウンロードの大きいファイルを見せて
    ドン・キホーテを書いたのは誰
    バッテリーは満タン?
    最後の答えをコピーして
    今夜は何を作ろう
    このファイルの名前を請求書に変えて`,
  zh: `
    埃菲尔铁塔有多少年历史
    关闭所有窗口
    Luca回复我的消息了吗?
    80的百分之十五是多少
    显示下载文件夹里最大的文件
    堂吉诃德是谁写的
    电池充满了吗?
    复制最后一个回答
    今晚做什么菜
    把这个文件改名为发票`,
  tr: `
    Eyfel Kulesi kaç yaşında
    bütün pencereleri kapat
    Luca mesajıma cevap verdi mi?
    80'in yüzde 15'i kaç eder
    İndirilenler klasöründeki en büyük dosyaları göster
    Don Quijote'yi kim yazdı
    pil dolu mu?
    son cevabı kopyala
    bu akşam ne pişirsem
    bu dosyanın adını fatura yap`,
  sv: `
    hur gammalt är Eiffeltornet
    stäng alla fönster
    har Luca svarat på mitt meddelande?
    hur mycket är 15 procent av 80
    visa de största filerna i Hämtningar
    vem skrev Don Quijote
    är batteriet fullt?
    kopiera det senaste svaret
    vad ska jag laga i kväll
    byt namn på filen till faktura`,
};

const wordless = `
  yes
  2026
  Luca?
  Torre Eiffel
  Don Quijote de la Mancha
  rm -rf build
  cat notes.txt | grep todo
  print("ciao")
  UPDATE notes SET title = 'x'
  https://it.wikipedia.org/wiki/Roma
  luca@example.org
  15 %
  :)
  Ludwig van Beethoven
  Ristorante Da Mario
  iPhone 17 Pro
  thunderbird
  Deutsche Bahn
  Buenos Aires`;

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

test("no short question gets the wrong language, and four of five get theirs", async () => {
  const wrong: string[] = [];
  const unsure: string[] = [];
  let all = 0;
  for (const [language, texts] of Object.entries(questions))
    for (const question of linesOf(texts)) {
      const found = await languageOf(question);
      all++;
      if (found === null) unsure.push(question);
      else if (found !== language) wrong.push(`${question}: ${found}`);
    }
  assert.deepEqual(wrong, []);
  assert.equal(all, 140);
  assert.ok(unsure.length <= 28, unsure.join("\n"));
});

test("names, numbers, code and addresses have no language", async () => {
  const found: string[] = [];
  for (const text of linesOf(wordless)) {
    const language = await languageOf(text);
    if (language !== null) found.push(`${text}: ${language}`);
  }
  assert.deepEqual(found, []);
});

test("an empty question has no language", async () => {
  assert.equal(await languageOf(""), null);
  assert.equal(await languageOf(" \n "), null);
});

test("what is quoted does not count, only the words around it", async () => {
  assert.equal(await languageOf('wie sagt man "where is the railway station" auf Deutsch?'), "de");
  assert.equal(await languageOf('was bedeutet "serendipity"?'), null);
  assert.equal(await languageOf("cosa fa il comando `find . -name x` in questo caso?"), "it");
});

test("a request with a text in another language has none of the two", async () => {
  const request = "please translate this for me: dove si trova la stazione più vicina?";
  assert.equal(await languageOf(request), null);
});

test("a long text is judged by its beginning", async () => {
  const sentence = "riassumi per favore quello che hanno scritto ieri. ";
  assert.equal(await languageOf(sentence.repeat(20_000)), "it");
});

test("a question that does not tell has the language of the last one that does", async () => {
  const earlier = ["wie spät ist es in Tokio", "che tempo fa domani a Roma", "ok", "Milano?"];
  for (const text of ["ok", "42", "Roma?", "Torre Eiffel", "git status --short", ""])
    assert.equal(await languageOf(text, earlier), "it", text);
});

test("a question that tells has its own language, whatever came before", async () => {
  assert.equal(
    await languageOf("what is the weather like tomorrow", ["che ore sono adesso"]),
    "en",
  );
});

test("an unsure question that speaks against the earlier language has none", async () => {
  assert.equal(await languageOf("open firefox"), null);
  assert.equal(await languageOf("open firefox", ["che tempo fa domani a Roma"]), null);
  assert.equal(await languageOf("open firefox", ["what is the weather like tomorrow"]), "en");
});

test("where no question tells, the language is unknown", async () => {
  assert.equal(await languageOf("Roma?", ["ok", "42"]), null);
  assert.equal(await languageOf("ok"), null);
});

test("questions at once share one model", async () => {
  const asked = Array.from({ length: 50 }, () => languageOf("che tempo fa domani a Roma"));
  assert.deepEqual([...new Set(await Promise.all(asked))], ["it"]);
});

test("a conversation's questions get at once what each gets with those before it", async () => {
  const questions = [
    "ok",
    "che tempo fa domani a Roma",
    "42",
    "open firefox",
    "what is the weather like tomorrow",
    "open firefox",
    "Roma?",
  ];
  const each: (string | null)[] = [];
  for (const [at, question] of questions.entries())
    each.push(await languageOf(question, questions.slice(0, at)));
  assert.deepEqual(await languagesOf(questions), each);
  assert.deepEqual(each.slice(0, 3), [null, "it", "it"]);
});
