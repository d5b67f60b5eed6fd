;;; formd-tests.el --- Tests of formd.el  -*- lexical-binding: t; -*-

;;; Commentary:

;; They need a daemon at FORMD_SOCKET that serves the example forms, with the
;; example backend behind it, and the programs FORMD_BIN and FORMCTL_BIN:
;;
;;     $EMACS -Q --batch -L . -l formd-tests.el -f ert-run-tests-batch-and-exit
;;
;; Tests/EndToEndTests/clients/test_emacs.py has all that.  Nothing sleeps: a test
;; waits for what is to come, and fails after `formd-tests-patience' seconds.
;; Keys go through Emacs's own command loop.

;;; Code:

(require 'ert)
(require 'formd)
(require 'formd-definition)
(require 'jsonrpc)
(require 'quail)

(defconst formd-tests-patience 30
  "After so many seconds, what should have happened is taken not to happen.")

(defvar formd-tests-formd (or (getenv "FORMD_BIN") "formd")
  "The program formd.")

(setq formd-formctl-program (or (getenv "FORMCTL_BIN") "formctl")
      formd-start-daemon nil
      formd-confirm-kill nil
      formd-locale "en")

;;;; Help for tests

(defmacro formd-tests-await (condition)
  "Wait for CONDITION to be true, and return its value."
  `(formd-tests--await (lambda () ,condition) ',condition))

(defun formd-tests--await (function condition)
  "Wait for FUNCTION to be true, and return its value.  CONDITION is its text."
  (let ((end (+ (float-time) formd-tests-patience))
        result)
    (while (not (setq result (funcall function)))
      (when (> (float-time) end)
        (ert-fail (list "did not come about" condition
                        (and formd-session (formd-tests-screen)))))
      (accept-process-output nil 0.05))
    result))

(defmacro formd-tests-in (form &rest body)
  "Evaluate BODY in a window with FORM in a buffer, and kill that.
FORM is a name, or an object that is the definition of a form."
  (declare (indent 1) (debug t))
  `(formd-tests--in ,form (lambda () ,@body)))

(defvar formd-tests--messages-begin nil
  "Where in *Messages* the form that was opened last begins.")

(defun formd-tests--in (form function)
  "Call FUNCTION in a window with FORM in a buffer, and kill that."
  (let ((formd-tests--messages-begin (with-current-buffer (messages-buffer)
                                       (copy-marker (point-max))))
        (buffer (if (stringp form)
                    (formd-open form)
                  (formd-mode-show (formd-connection) (formd-object "definition" form) "en"))))
    (unwind-protect
        (progn (switch-to-buffer buffer)
               (delete-other-windows)
               (funcall function))
      (when (buffer-live-p buffer)
        (kill-buffer buffer)))))

(defun formd-tests-definition (text)
  "Return the object that TEXT, the JSON of a definition, means.
Quotes in it may be single ones."
  (formd-json-parse (replace-regexp-in-string "'" "\"" text)))

(defun formd-tests-type (keys)
  "Type KEYS, which `kbd' understands, and wait until the daemon has answered all."
  (execute-kbd-macro (kbd keys))
  (formd-tests-settle))

(defun formd-tests-settle ()
  "Wait until the daemon has answered everything that was sent so far."
  (formd-connection-call (formd-session-connection formd-session) "server/ping" (formd-object)))

(defun formd-tests-insert (text)
  "Type TEXT at point, as if it were typed, and wait for the daemon."
  (insert text)
  (run-hooks 'post-command-hook)
  (formd-tests-settle))

(defun formd-tests-go (label)
  "Put point into the field that is called LABEL."
  (let ((node (cl-find label (formd-draw-nodes) :key #'formd-node-label :test #'equal)))
    (should node)
    (formd-draw-goto (formd-node-address node) (formd-node-kind node))
    (run-hooks 'post-command-hook)))

(defun formd-tests-press (button)
  "Press the first button with the text BUTTON."
  (goto-char (point-min))
  (search-forward button)
  (goto-char (match-beginning 0))
  (formd-tests-type "RET"))

(defun formd-tests-screen ()
  "Return what the user sees of the form: its text with all messages.
Blanks at the ends of lines are left out."
  (let ((strings nil)
        (text ""))
    (dolist (overlay (overlays-in (point-min) (1+ (point-max))))
      (dolist (kind '(before-string after-string))
        (when (overlay-get overlay kind)
          (push (cons (overlay-start overlay) (overlay-get overlay kind)) strings))))
    (setq strings (sort strings #'car-less-than-car))
    (let ((place (point-min)))
      (dolist (string strings)
        (setq text (concat text (buffer-substring-no-properties place (car string))
                           (substring-no-properties (cdr string)))
              place (car string)))
      (setq text (concat text (buffer-substring-no-properties place (point-max)))))
    (replace-regexp-in-string "[ \t]+$" "" text)))

(defun formd-tests-shows (text)
  "Return non-nil if the user sees TEXT."
  (string-search text (formd-tests-screen)))

(defun formd-tests-value (&rest names)
  "Return what the daemon has as value at NAMES."
  (apply #'formd-get
         (formd-connection-call (formd-session-connection formd-session) "session/get"
                                (formd-object "session" (formd-session-number formd-session)))
         "values" names))

(defun formd-tests-error (function)
  "Return the message of the error that FUNCTION signals."
  (error-message-string (should-error (funcall function))))

(defun formd-tests-messages ()
  "Return what was said since the form was opened."
  (with-current-buffer (messages-buffer)
    (buffer-substring-no-properties (or formd-tests--messages-begin (point-min)) (point-max))))

;;;; Documents

(ert-deftest formd-a-merge-patch-tells-null-from-an-empty-object ()
  (let ((document (formd-json-parse "{\"a\":{\"b\":1,\"c\":2},\"d\":3}")))
    (setq document (formd-merge-patch document
                                      (formd-json-parse "{\"a\":{\"b\":null},\"d\":{},\"e\":{\"f\":null}}")))
    (should (formd-equal document (formd-json-parse "{\"a\":{\"c\":2},\"d\":{},\"e\":{}}")))))

(ert-deftest formd-addresses-are-names-or-pointers ()
  (should (equal '("email") (formd-address-names "email")))
  (should (equal '("items" "#7" "a/b~c") (formd-address-names "/items/#7/a~1b~0c")))
  (should (equal "/items/#7/a~1b~0c" (formd-address '("items" "#7" "a/b~c"))))
  (should (equal "email" (formd-address '("email"))))
  (should (equal "/~1name" (formd-address '("/name"))))
  (should (equal "/items/*/lines/*" (formd-address-template "/items/#7/lines/#12")))
  (should (equal "/items/#7" (formd-address-row "/items/#7/sku")))
  (should-not (formd-address-row "customer"))
  (should (formd-address-in-p "/items/#7/sku" "items"))
  (should-not (formd-address-in-p "itemsize" "items")))

(ert-deftest formd-rows-are-found-by-position-in-another-session ()
  (let ((before (formd-json-parse "{\"fields\":{\"items\":{\"order\":[\"4\",\"2\"],\"rows\":{}}}}"))
        (after (formd-json-parse "{\"fields\":{\"items\":{\"order\":[\"1\",\"3\"],\"rows\":{}}}}")))
    (should (equal "/items/1/sku" (formd-document-by-position before "/items/#2/sku")))
    (should (equal "/items/#3/sku" (formd-document-by-identity after "/items/1/sku")))
    (should-not (formd-document-by-position before "/items/#9/sku"))
    (should-not (formd-document-by-identity after "/items/2/sku"))))

(ert-deftest formd-a-text-means-a-value-of-its-type ()
  (should (equal 12 (formd-value-of-text "12" "integer")))
  (should (equal 1.5 (formd-value-of-text "1.50" "number")))
  (should (equal "1e" (formd-value-of-text "1e" "number")))
  (should (equal "true" (formd-value-of-text "true" "number")))
  (should (equal :null (formd-value-of-text "" "number")))
  (should (equal "1.234" (formd-value-of-text "1.234" "number" "number")))
  (should (equal :null (formd-value-of-text "" "number" "number")))
  (should (equal "" (formd-value-of-text "" "string")))
  (should (equal "12" (formd-value-of-text "12" "string")))
  (should (equal [1 2] (formd-value-of-text "[1,2]" "array")))
  (should (equal "0" (formd-text-of-value 0.0)))
  (should (equal "9.5" (formd-text-of-value 9.5)))
  (should (equal "" (formd-text-of-value :null))))

(ert-deftest formd-json-keeps-characters ()
  (should (equal "{\"a\":\"김é😀\"}" (formd-json-encode (formd-object "a" "김é😀")))))

;;;; Connecting

(ert-deftest formd-the-socket-is-where-the-protocol-says ()
  (let ((process-environment (copy-sequence process-environment))
        (formd-socket nil))
    (setenv "FORMD_SOCKET" "/somewhere/x.sock")
    (should (equal "/somewhere/x.sock" (formd-socket-path)))
    (setenv "FORMD_SOCKET" "")
    (setenv "XDG_RUNTIME_DIR" "/run/mine")
    (should (equal "/run/mine/formd/formd.sock" (formd-socket-path)))
    (setenv "XDG_RUNTIME_DIR" nil)
    (cl-letf (((symbol-function 'formd-connection--own-folder) #'identity))
      (should (equal (format "/run/user/%d/formd/formd.sock" (user-uid)) (formd-socket-path))))
    (cl-letf (((symbol-function 'formd-connection--own-folder) #'ignore))
      (should (equal (format "/tmp/formd-%d/formd.sock" (user-uid)) (formd-socket-path))))
    (let ((formd-socket "~/x.sock"))
      (should (equal (expand-file-name "~/x.sock") (formd-socket-path))))))

(ert-deftest formd-a-folder-that-others-may-write-to-is-refused ()
  (let ((folder (make-temp-file "formd" t)))
    (unwind-protect
        (cl-letf (((symbol-function 'formd-connection--private-folder) (lambda () folder)))
          (set-file-modes folder #o755)
          (should (string-match-p "not private to you"
                                  (formd-tests-error
                                   (lambda ()
                                     (formd-connection (expand-file-name "formd.sock" folder)))))))
      (delete-directory folder t))))

(ert-deftest formd-nobody-there-is-told-with-what-to-do ()
  (let ((formd-socket "/nonexistent/formd.sock"))
    (should (string-match-p "no daemon listens at /nonexistent/formd.sock; start one with"
                            (formd-tests-error (lambda () (formd-open "invoice")))))
    (let ((formd-start-daemon t)
          (formd-formctl-program "no-such-formctl"))
      (should (string-match-p "no .no-such-formctl. in .exec-path.*formd-formctl-program"
                              (formd-tests-error (lambda () (formd-open "invoice"))))))))

(ert-deftest formd-a-wrong-name-is-told-with-the-closest ()
  (should (string-match-p "There is no form invoce; did you mean invoice\\?"
                          (formd-tests-error (lambda () (formd-open "invoce")))))
  ;; A connection that no form needs is closed: a daemon may end when it has none.
  (should-not formd-connection--all))

(ert-deftest formd-names-complete-with-titles ()
  (let (table)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt collection &rest _) (setq table collection) "invoice")))
      (should (equal "invoice" (formd-read-name))))
    (should (equal '("signup") (all-completions "sign" table)))
    (let ((annotate (alist-get 'annotation-function (cdr (funcall table "" nil 'metadata)))))
      (should (equal "Sign up" (string-trim (funcall annotate "signup"))))
      (should-not (funcall annotate "login")))))

(defmacro formd-tests-with-file (text &rest body)
  "Evaluate BODY with `file' being a file NAME.form.json that has TEXT."
  (declare (indent 1) (debug t))
  `(let ((file (make-temp-file "formd" nil ".form.json" ,text)))
     (unwind-protect (progn ,@body)
       (delete-file file))))

(ert-deftest formd-a-file-is-opened-as-it-stands ()
  (formd-tests-with-file "{\"form\":\"tiny\",\"title\":\"Tiny\",\"schema\":{\"type\":\"object\",
\"properties\":{\"name\":{\"type\":\"string\"}}}}"
    (unwind-protect
        (progn (formd file)
               (should (equal "Tiny\n\nname\n" (formd-tests-screen))))
      (kill-buffer))))

(ert-deftest formd-a-broken-definition-is-told-with-its-places ()
  (formd-tests-with-file "{\"form\": \"tiny\",\n \"schema\": {\"type\": \"object\"},\n \"filds\": {}}"
    (should (string-match-p "is not a valid form: [0-9]+ faults, listed beside"
                            (formd-tests-error (lambda () (formd file)))))
    (with-current-buffer "*form faults*"
      (should (string-match-p (concat (regexp-quote file) ":3:2: .*filds") (buffer-string))))
    (let ((formd-formctl-program "no-such-formctl"))
      (should-error (formd file))
      (with-current-buffer "*form faults*"
        (should (string-match-p "/filds: .*did you mean \"fields\"" (buffer-string))))))
  (formd-tests-with-file "{\"form\": \"tiny\",\n oops}"
    (should (string-match-p ":2:[0-9]+: not JSON"
                            (formd-tests-error (lambda () (formd file)))))))

;;;; Drawing and typing

(ert-deftest formd-an-invoice-is-filled-in-and-refused ()
  (formd-tests-in "invoice"
    (should (equal "invoice

Customer *

Items *
  [add]

[ Send ]
" (formd-tests-screen)))
    (formd-tests-type "Kim TAB RET")
    (formd-tests-await (equal "/items/#1/sku" (formd-draw-field-at (point))))
    (formd-tests-type "A100 TAB Screws TAB C-k 0 TAB abc TAB")
    (formd-tests-await (not (formd-tests-shows "checking")))
    (should (equal "invoice

Customer *        Kim

Items *
  Items 1 [remove] [up] [down]
    Article *     A100
                  ! Article: There is no such article.
    Description   Screws
    Quantity *    0
                  ! Quantity: This must be at least 1.
    Unit price *  abc
                  ! Unit price: This must be a number.
  [add]

[ Send ]
" (formd-tests-screen)))
    (should (equal "Kim" (formd-tests-value "customer")))
    (should (equal "abc" (formd-tests-value "items" 0 "unitPrice")))
    (formd-tests-type "C-c C-c")
    (formd-tests-await (equal "/items/#1/sku" (formd-draw-field-at (point))))))

(ert-deftest formd-rows-come-move-and-go ()
  (formd-tests-in "invoice"
    (dolist (name '("one" "two" "three"))
      (let ((count (length (formd-document-rows (formd-session-document formd-session) "items"))))
        (formd-tests-type "C-c C-a")
        (formd-tests-await (equal (format "/items/#%d/sku" (1+ count))
                                  (formd-draw-field-at (point)))))
      (formd-tests-insert name))
    (formd-tests-type "M-<up>")
    (should (equal "/items/#3/sku" (formd-draw-field-at (point))))
    (should (equal '("one" "three" "two")
                   (mapcar (lambda (row) (formd-get (formd-tests-value "items" row) "sku"))
                           '(0 1 2))))
    (should (< (progn (goto-char (point-min)) (search-forward "three"))
               (progn (goto-char (point-min)) (search-forward "two"))))
    (formd-tests-go "Items 2")
    (formd-tests-type "C-c C-d")
    (should-not (formd-tests-shows "three"))
    (should (equal "two" (formd-tests-value "items" 1 "sku")))
    (should (string-match-p "last one"
                            (formd-tests-error
                             (lambda () (formd-tests-go "Items 2") (formd-move-row-down)))))))

(ert-deftest formd-a-keyboard-macro-fills-in-rows-and-pages ()
  (formd-tests-in "invoice"
    (formd-tests-type "Kim C-c C-a A1 TAB Screws C-c C-a B2 M-<up> X")
    (should (equal '("B2X" "A1") (mapcar (lambda (row) (formd-get (formd-tests-value "items" row)
                                                                  "sku"))
                                         '(0 1))))
    (should (equal "Screws" (formd-tests-value "items" 1 "description")))
    (formd-tests-type "C-c C-d C-c C-d")
    (should (equal [] (formd-tests-value "items"))))
  (formd-tests-in "signup"
    (formd-tests-type "C-c C-n Kim C-c C-n")
    (should (equal "newsletter" (formd-session-step formd-session)))
    (should (equal "Kim" (formd-tests-value "name")))))

(ert-deftest formd-rows-stand-in-rows ()
  (formd-tests-in "rows"
    (goto-char (point-min))
    (search-forward "[add]")
    (backward-char)
    (formd-tests-type "RET")
    (formd-tests-await (equal "/items/#1/name" (formd-draw-field-at (point))))
    (formd-tests-type "bolt")
    (search-forward "[add]")
    (backward-char)
    (formd-tests-type "RET")
    (formd-tests-await (formd-tests-shows "lines 1"))
    (formd-tests-type "x TAB")
    (should (formd-tests-shows "This must have at least 2 characters."))
    (should (equal "x" (formd-tests-value "items" 0 "lines" 0 "text")))
    (should (equal 1 (formd-tests-value "items" 0 "count")))))

(ert-deftest formd-rows-may-be-mere-texts ()
  (formd-tests-in "rows"
    (goto-char (point-max))
    (search-backward "[add]")
    (formd-tests-type "RET")
    (formd-tests-await (equal "/tags/#1" (formd-draw-field-at (point))))
    (formd-tests-type "red")
    (should (formd-tests-shows "tags\n  tags 1    [remove] [up] [down] red\n  [add]\n"))
    (formd-tests-press "[remove]")
    (should (equal [] (formd-tests-value "tags")))))

(ert-deftest formd-a-list-of-different-choices-is-chosen-as-a-whole ()
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','schema':{'type':'object','properties':{'days':{'type':'array','uniqueItems':true,
                     'minItems':2,'items':{'enum':['mo','tu','we']}}}},
                     'fields':{'/days/*':{'options':{'mo':'Monday','tu':'Tuesday','we':'Wednesday'}}}}")
    (should (formd-tests-shows "days   [choose]"))
    (goto-char (point-min))
    (search-forward "[")
    (backward-char)
    (formd-tests-type "RET Monday,Wednesday RET")
    (should (equal ["mo" "we"] (formd-tests-value "days")))
    (should (formd-tests-shows "days   [Monday, Wednesday]"))))

(ert-deftest formd-a-text-of-ones-own-is-typed ()
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','schema':{'type':'object','properties':{'colour':{'type':'string','maxLength':9},
                     'days':{'type':'array','maxItems':3,'items':{'type':'string','maxLength':9}}}},
                     'fields':{'colour':{'options':[{'value':'red'}],'other':true},
                       '/days/*':{'options':[{'value':'mo','label':'Monday'}],'other':true}}}")
    (formd-tests-go "colour")
    (formd-tests-type "RET pink RET")
    (should (equal "pink" (formd-tests-value "colour")))
    (formd-tests-go "days")
    (formd-tests-type "RET Monday,never RET")
    (should (equal ["mo" "never"] (formd-tests-value "days")))))

(ert-deftest formd-disabled-choices-are-not-offered ()
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','schema':{'type':'object','properties':{
                     'way':{'enum':['air','ship','post'],'default':'post'},
                     'extras':{'type':'array','maxItems':3,'default':['cool'],'items':{'enum':['gift','cool','fast']}}}},
                     'fields':{'way':{'options':[{'value':'air','disabled':true},{'value':'post','disabled':true}]},
                       '/extras/*':{'options':[{'value':'cool','disabled':true},{'value':'fast','disabled':true}]}}}")
    (should (equal '("ship" "post") (mapcar #'car (formd-commands--choices "way"))))
    (should (equal '("gift" "cool") (mapcar #'car (formd-commands--choices "extras"))))
    (should (formd-tests-shows "[post]"))
    (should (formd-tests-shows "[cool]"))))

(defun formd-tests-tell-steps (steps)
  "Have the description say of which actions the scope is a step.
STEPS has (ACTION . STEP) for each of them.  Of the others it says nothing."
  (dolist (action (formd-list (formd-session-description formd-session) "actions"))
    (let ((step (alist-get (formd-get action "name") steps nil nil #'equal)))
      (remhash "leadsTo" action)
      (if step (puthash "step" step action) (remhash "step" action))))
  (formd-draw))

(ert-deftest formd-an-action-of-a-page-stands-there-and-leads-on ()
  (formd-tests-in "signup"
    (should (string-suffix-p "\n\n[ Next ]\n[ Sign up ]\n" (formd-tests-screen)))
    (should-not (formd-tests-shows "[Profile >]"))
    ;; What is wrong on the page keeps the user there.
    (formd-tests-press "[ Next ]")
    (formd-tests-await (formd-session-message formd-session "email"))
    (should (equal "account" (formd-session-step formd-session)))
    (formd-tests-go "Email")
    (formd-tests-type "someone-new@example.com TAB RET long-enough-1 RET")
    (formd-tests-press "[ Next ]")
    (formd-tests-await (equal "name" (formd-draw-field-at (point))))
    (should (equal "profile" (formd-session-step formd-session)))
    (should (string-suffix-p "\n\n[ Next ]\n[ Sign up ]\n\n[< Account]\n" (formd-tests-screen)))
    ;; Nothing was sent by that.
    (should-not formd-commands-is-sent)
    (formd-tests-type "C-c C-n")
    (should (string-suffix-p "\n\n[ Sign up ]\n\n[< Profile]\n" (formd-tests-screen)))
    ;; Which of two leads on is not known, so none does.
    (formd-tests-tell-steps '(("toProfile" . "account") ("toNewsletter" . "account")))
    (formd-tests-type "C-c C-p")
    (formd-tests-type "C-c C-p")
    (should (string-suffix-p "[Profile >]\n\n[ Next (toProfile) ]\n[ Next (toNewsletter) ]\n[ Sign up ]\n"
                             (formd-tests-screen)))))

(ert-deftest formd-choices-truths-and-steps ()
  (formd-tests-in "signup"
    (formd-tests-tell-steps nil)
    (should (equal "Sign up
Account > Profile > Newsletter

Email *
Password *                 [        ]
                           Ten characters or more, with a digit.

[Profile >]

[ Next (toProfile) ]
[ Next (toNewsletter) ]
[ Sign up ]
" (formd-tests-screen)))
    (formd-tests-type "C-c C-n")
    (should (equal "name" (formd-draw-field-at (point))))
    (should (equal "Sign up
Account > Profile > Newsletter

Name *
Country *                  [choose]

Address
  Street *
  City *
  Postal code *

[Newsletter >]

[ Next (toProfile) ]
[ Next (toNewsletter) ]
[ Sign up ]

[< Account]
" (formd-tests-screen)))
    (formd-tests-go "Country")
    (formd-tests-type "RET United SPC States RET")
    (should (equal "US" (formd-tests-value "country")))
    (should (formd-tests-shows "[United States]"))
    (should (formd-tests-shows "State *"))
    ;; Typing on a choice begins to choose.
    (formd-tests-type "South RET")
    (formd-tests-type "C-a")
    (formd-tests-go "Country")
    (formd-tests-type "S o u t h TAB RET")
    (should (equal "KR" (formd-tests-value "country")))
    (should-not (formd-tests-shows "  State"))
    (formd-tests-press "[Newsletter >]")
    (formd-tests-go "Send me the newsletter")
    (formd-tests-type "SPC")
    (should (eq t (formd-tests-value "newsletter" "isWanted")))
    (should (formd-tests-shows "Send me the newsletter   [X]"))
    (should (formd-tests-shows "How often *"))
    (formd-tests-type "RET")
    (should (eq :false (formd-tests-value "newsletter" "isWanted")))
    (should (string-match-p "last page" (formd-tests-error #'formd-next-page)))))

(ert-deftest formd-a-refused-tap-goes-to-the-page-of-the-first-error ()
  (formd-tests-in "signup"
    (formd-session-show-step formd-session "newsletter")
    (formd-tests-settle)
    (formd-tap "signUp")
    (formd-tests-await (equal "email" (formd-draw-field-at (point))))
    (should (equal "account" (formd-session-step formd-session)))
    (should (string-match-p "Sign up was refused: Email: This is required.  (6 more: C-c C-e)"
                            (formd-tests-messages)))))

(ert-deftest formd-messages-are-gone-through-on-all-pages ()
  (formd-tests-in "signup"
    (formd-tap "signUp")
    (formd-tests-await (formd-session-message formd-session "email"))
    (let (seen)
      (dotimes (_ 4)
        (formd-tests-type "C-c C-e")
        (formd-tests-await (not formd-commands-going-to))
        (push (formd-draw-field-at (point)) seen))
      (should (equal '("password" "name" "country" "/address/street") (nreverse seen))))))

(ert-deftest formd-choices-come-from-elsewhere ()
  (formd-tests-in "address"
    (should (formd-tests-shows "City *"))
    (formd-tests-go "Country")
    (formd-tests-type "RET Germany RET")
    (formd-tests-go "City")
    (formd-tests-await (formd-session-options formd-session "city"))
    (formd-tests-await (not (formd-tests-shows "checking")))
    (formd-tests-type "RET Berlin RET")
    (should (equal "berlin" (formd-tests-value "city")))
    (should (formd-tests-shows "[Berlin]"))))

(ert-deftest formd-a-text-of-ones-own-stays-among-several-choices ()
  (formd-tests-in "shipment"
    (formd-commands--give "handling" ["Beware"])
    (formd-tests-go "Handling")
    (formd-tests-type "RET ,Fragile RET")
    (should (equal ["Beware" "fragile"] (formd-tests-value "handling")))))

(ert-deftest formd-a-part-that-does-not-apply-is-hidden ()
  (formd-tests-in "payment"
    (should-not (formd-tests-shows "IBAN"))
    (formd-tests-go "Kind")
    (formd-tests-type "RET Bank SPC account RET")
    (should (formd-tests-shows "IBAN"))
    (formd-tests-go "Kind")
    (formd-tests-type "RET Card RET")
    (should-not (formd-tests-shows "IBAN"))
    (should (formd-tests-shows "Expires"))
    (should (formd-tests-shows "MM/YY"))
    (formd-tests-go "Expires")
    (formd-tests-type "0")
    (should-not (formd-tests-shows "MM/YY"))
    (formd-tests-type "DEL")
    (should (formd-tests-shows "MM/YY"))))

(ert-deftest formd-a-text-of-several-lines-is-edited-in-place ()
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','schema':{'type':'object','properties':{'note':{'type':'string'},'name':{'type':'string'}}},
                     'fields':{'note':{'widget':'textarea','label':'Note'}}}")
    (formd-tests-type "one RET two TAB Kim")
    (should (equal "one\ntwo" (formd-tests-value "note")))
    (should (equal "Kim" (formd-tests-value "name")))))

(ert-deftest formd-what-json-cannot-have-is-replaced ()
  (formd-tests-in "invoice"
    (formd-tests-insert (string ?a (unibyte-char-to-multibyte 255) #xd800 ?김 #x10ffff))
    (formd-tests-type "x")
    (should (equal "a\ufffd\ufffd김\U0010ffffx" (formd-tests-value "customer")))))

(ert-deftest formd-an-error-does-not-end-what-follows-the-user ()
  (formd-tests-in "invoice"
    (formd-tests-type "K")
    (cl-letf (((symbol-function 'formd-draw-take-typed) (lambda () (error "Some defect")))
              ;; ERT has it set, and then such an error is not caught.
              (debug-on-error nil))
      (execute-kbd-macro (kbd "i")))
    (should (string-match-p "Form: .*Some defect" (formd-tests-messages)))
    (formd-tests-type "m")
    (should (equal "Kim" (formd-tests-value "customer")))))

(ert-deftest formd-a-form-may-be-narrowed ()
  (formd-tests-in "booking"
    (formd-tests-type "My SPC trip")
    (narrow-to-region (line-beginning-position) (line-end-position))
    (formd-tests-type "s")
    (formd-tests-await (equal "my-trips" (formd-tests-value "slug")))
    (formd-tests-settle)
    (should (buffer-narrowed-p))
    (widen)
    (should (formd-tests-shows "my-trips\n")))
  (formd-tests-in "invoice"
    (formd-tests-type "Kim")
    (narrow-to-region (line-beginning-position) (line-end-position))
    ;; It is drawn anew, and what it was narrowed to is gone.
    (formd-tests-type "C-c C-a")
    (formd-tests-await (equal "/items/#1/sku" (formd-draw-field-at (point))))
    (narrow-to-region (line-beginning-position) (line-end-position))
    (formd-draw-goto "customer")
    (should (equal "customer" (formd-draw-field-at (point))))))

(ert-deftest formd-lines-that-are-pasted-become-one ()
  (formd-tests-in "invoice"
    (kill-new "one\ntwo\n")
    (formd-tests-type "C-y")
    (should (equal "one two" (formd-tests-value "customer")))
    (should (formd-tests-shows "one two\n"))))

(ert-deftest formd-what-formulas-give-comes-without-moving-point ()
  (formd-tests-in "booking"
    (formd-tests-type "My SPC trip")
    (let ((place (point)))
      (formd-tests-await (formd-tests-shows "my-trip"))
      (should (= place (point)))
      (formd-tests-go "Arrival")
      (formd-tests-insert "2031-05-01")
      (formd-tests-go "Departure")
      (formd-tests-insert "2031-05-04")
      (should (string-match-p "^Nights +3$" (formd-tests-screen)))
      (should-error (progn (goto-char (point-min)) (search-forward "Nights") (insert "9"))
                    :type 'text-read-only))))

(ert-deftest formd-what-the-user-types-wins-until-it-is-acknowledged ()
  (formd-tests-in "booking"
    (formd-tests-go "Web address")
    (insert "mine")
    (run-hooks 'post-command-hook)
    ;; An update that the daemon sent before it knew of that.
    (should (formd-session-ahead-p formd-session "slug"))
    (formd-session--moved formd-session "slug" "theirs")
    (formd-draw)
    (should (formd-tests-shows "mine"))
    (should (equal "theirs" (gethash "slug" (formd-session-held formd-session))))
    ;; Point is still in the field when the answer comes: the text stays.
    (formd-tests-settle)
    (should-not (formd-session-ahead-p formd-session "slug"))
    (should (formd-tests-shows "mine"))
    ;; When it is left, what the daemon says counts.
    (formd-tests-go "Arrival")
    (should (formd-tests-shows "theirs"))))

(ert-deftest formd-a-number-keeps-the-digits-that-were-typed ()
  (formd-tests-in "payment"
    (formd-tests-type "1.50 TAB RET Card RET")
    (should (equal 1.5 (formd-tests-value "amount")))
    (should (formd-tests-shows "1.50"))))

(ert-deftest formd-undo-is-of-what-was-typed ()
  (formd-tests-in "booking"
    (formd-tests-type "Trip")
    (formd-tests-await (formd-tests-shows "trip\n"))
    (formd-tests-go "Departure")
    (undo-boundary)
    (formd-tests-insert "2031")
    (undo-boundary)
    ;; What stands above is replaced meanwhile, by something longer.
    (formd-session-change formd-session "slug" "a-much-longer-address")
    (formd-draw)
    (undo)
    (run-hooks 'post-command-hook)
    (formd-tests-settle)
    (should-not (formd-tests-shows "2031"))
    (should-not (formd-tests-value "departure"))
    (should (formd-tests-shows "a-much-longer-address\n"))
    (should (formd-tests-shows "Trip\n"))))

(ert-deftest formd-narrow-windows-have-labels-above ()
  (formd-tests-in "payment"
    (cl-letf (((symbol-function 'window-width) (lambda (&rest _) 30)))
      (formd-draw)
      (should (formd-tests-shows "Amount *\n\n"))
      (formd-tests-insert "5")
      (should (formd-tests-shows "Amount *\n  5\n")))
    (formd-draw)
    (should (string-match-p "^Amount \\* +5$" (formd-tests-screen)))))

(ert-deftest formd-messages-are-whole-in-windows-side-by-side ()
  (formd-tests-in "invoice"
    (split-window-right)
    (should-not (truncated-partial-width-window-p))))

(ert-deftest formd-a-form-is-reverted-to-what-the-daemon-has ()
  (formd-tests-in "invoice"
    (formd-tests-type "Kim")
    (let ((inhibit-read-only t))
      (goto-char (point-min))
      (delete-region (point) (line-end-position)))
    (revert-buffer)
    (formd-tests-await (string-prefix-p "invoice\n" (formd-tests-screen)))
    (should (formd-tests-shows "Kim"))))

(ert-deftest formd-texts-are-in-another-language-at-once ()
  (formd-tests-in "invoice"
    (formd-tests-type "TAB")
    (should (formd-tests-shows "! Customer: This is required."))
    (formd-set-locale "ko")
    (formd-tests-await (formd-tests-shows "고객"))
    (should (formd-tests-shows "! 고객: 필수 항목입니다."))
    (should-not (formd-tests-shows "Customer"))))

(ert-deftest formd-a-reset-brings-back-the-beginning ()
  (formd-tests-in "booking"
    (formd-tests-type "Trip")
    (cl-letf (((symbol-function 'yes-or-no-p) #'always))
      (formd-reset))
    (formd-tests-await (not (formd-tests-shows "Trip")))
    (should-not (formd-tests-value "title"))))

(ert-deftest formd-an-edit-is-taken-back-and-repeated ()
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','undo':true,'schema':{'type':'object','properties':{'a':{'type':'string'}}}}")
    (formd-tests-type "Trip")
    (formd-undo)
    (formd-tests-await (not (formd-tests-shows "Trip")))
    (should-not (formd-tests-value "a"))
    (formd-redo)
    (formd-tests-await (formd-tests-shows "Trip"))))

(ert-deftest formd-errors-of-the-form-as-a-whole-stand-at-its-top ()
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','schema':{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'integer'}}},
                     'rules':[{'id':'sum','check':'values.a + values.b < 10','message':'Too much in all.'}]}")
    (formd-tests-type "7 TAB 8 TAB")
    (should (string-prefix-p "x\n! Too much in all.\n" (formd-tests-screen)))))

(ert-deftest formd-a-character-that-is-composed-is-let-alone ()
  (formd-tests-in "signup"
    (formd-session-show-step formd-session "profile")
    (formd-tests-settle)
    (formd-tests-go "Name")
    (insert "김")
    (setq quail-overlay (make-overlay (1- (point)) (point)))
    ;; No command ends, and yet the daemon hears of it.
    (formd-tests-await (equal "김" (formd-tests-value "name")))
    (should (equal "name" (formd-session-composed formd-session)))
    ;; What would draw the form anew has to wait.
    (formd-session-change formd-session "country" "US")
    (formd-session-flush formd-session t)
    (formd-tests-settle)
    (should-not (formd-tests-shows "  State *"))
    (should (overlay-buffer quail-overlay))
    (delete-overlay quail-overlay)
    (formd-tests-type "C-f")
    (should (formd-tests-shows "  State *"))
    (should-not (formd-session-composed formd-session))))

(ert-deftest formd-no-new-message-comes-while-a-character-is-composed ()
  (formd-tests-in "nickname"
    (insert "가")
    (setq quail-overlay (make-overlay (1- (point)) (point)))
    (formd-tests-await (equal "가" (formd-tests-value "nickname")))
    (should-not (formd-tests-shows "!"))
    (delete-overlay quail-overlay)
    (formd-tests-type "C-b")
    (should (formd-tests-shows "Nickname: Eight characters or more, please."))))

(ert-deftest formd-leaving-the-window-leaves-the-field ()
  (formd-tests-in "invoice"
    (formd-tests-type "SPC")
    (should-not (formd-tests-shows "This is required."))
    (let ((form (current-buffer)))
      (switch-to-buffer "*scratch*")
      ;; Only a display calls the hook.
      (run-hook-with-args 'window-buffer-change-functions (selected-frame))
      (switch-to-buffer form))
    (formd-tests-settle)
    (should (formd-tests-shows "! Customer: This is required."))))

;;;; Secrets

(defun formd-tests-finds (secret)
  "Return the names of the buffers that have SECRET in their text or undo list."
  (cl-loop for buffer in (buffer-list)
           when (with-current-buffer buffer
                  (or (save-excursion (save-restriction
                                        (widen)
                                        (goto-char (point-min))
                                        (search-forward secret nil t)))
                      (string-search secret (format "%S" (and (listp buffer-undo-list)
                                                              buffer-undo-list)))))
           collect (buffer-name buffer)))

(ert-deftest formd-secrets-are-nowhere-in-emacs ()
  (formd-tests-in "login"
    (formd-tests-type "kim@example.com TAB RET swordfish1 RET")
    (should (formd-tests-shows "[********]"))
    (should (equal "swordfish1" (formd-session-secret formd-session "password")))
    (should-not (formd-tests-finds "swordfish1"))
    (should-not (string-search "swordfish1" (format "%S" kill-ring)))
    (should-not (string-search "swordfish1" (concat (seq-filter #'characterp (recent-keys)))))
    (should-not (string-search "swordfish1" (format "%S" minibuffer-history)))
    ;; Nor in what C-h v and a backtrace show.
    (should-not (string-search "swordfish1" (format "%S" formd-session)))
    (formd-show-values)
    (formd-tests-await (get-buffer "*form values*"))
    (should-not (formd-tests-finds "swordfish1"))
    (kill-buffer "*form values*")))

(ert-deftest formd-a-secret-that-is-killed-goes-nowhere ()
  (formd-tests-in "login"
    (kill-new "before")
    (dolist (keys '("C-a C-k" "M-DEL" "C-SPC C-a M-w" "C-SPC C-a C-w"))
      (formd-tests-go "Password")
      (formd-tests-type (format "RET sword SPC fish1 %s x RET" keys))
      (should (equal "before" (car kill-ring))))
    (formd-tests-go "Email")
    (formd-tests-type "kim C-a C-k")
    (should (equal "kim" (car kill-ring)))))

(ert-deftest formd-a-secret-is-judged-while-it-is-typed ()
  (formd-tests-in "signup"
    (formd-tests-go "Password")
    (let ((outputs (lambda () (formd-true-p (formd-session-document formd-session)
                                            "outputs" "isPasswordLong"))))
      ;; Typing begins it, without RET.
      (formd-tests-type "long-enough-1 RET")
      (should (funcall outputs))
      ;; Quitting brings back what was there.
      (formd-tests-type "RET x C-g")
      (should (equal "long-enough-1" (formd-session-secret formd-session "password")))
      (should (funcall outputs))
      (formd-tests-type "DEL")
      (should-not (funcall outputs)))))

;;;; Taps

(ert-deftest formd-what-a-server-refuses-is-told-with-its-field ()
  (formd-tests-in (formd-tests-definition
                   "{'form': 'wizard', 'schema': {'type': 'object', 'properties': {
'name': {'type': 'string', 'maxLength': 20}, 'city': {'type': 'string', 'maxLength': 20}}},
'fields': {'name': {'label': 'Name'}, 'city': {'label': 'City'}},
'steps': [{'id': 'who', 'label': 'Who', 'fields': ['name']},
{'id': 'where', 'label': 'Where', 'fields': ['city']}],
'actions': {'book': {'label': 'Book', 'outcomes': [{'failure': 'false',
'fieldErrors': {'name': 'string(values.name) + string(1)'}}]}}}")
    (formd-tests-type "Kim C-c C-n")
    (formd-tests-await (formd-tests-shows "City"))
    (formd-tests-type "C-c C-c")
    (formd-tests-await (equal "name" (formd-draw-field-at (point))))
    (should (formd-tests-shows "! Name: Kim1"))
    (should (string-match-p "Book failed: Name: Kim1" (formd-tests-messages)))))

(ert-deftest formd-what-comes-of-a-tap-is-told ()
  (formd-tests-in "login"
    (formd-tests-type "kim@example.com TAB RET hunter2 RET")
    (formd-tests-type "C-c C-c")
    (formd-tests-await (formd-tests-shows "Kim님 환영합니다."))
    (should (string-match-p "Log in: Kim님 환영합니다." (formd-tests-messages)))
    (formd-tests-go "Password")
    (formd-tests-type "RET wrong RET")
    (formd-tests-press "[ Log in ]")
    (formd-tests-await (formd-tests-shows "The email or the password is wrong."))
    (should (string-match-p "Log in failed: The email or the password is wrong."
                            (formd-tests-messages)))))

(ert-deftest formd-a-refused-call-is-told-and-the-form-goes-on ()
  (formd-tests-in "rows"
    (dotimes (_ 2) (formd-session-tap formd-session "sennd"))
    (formd-tests-settle)
    (should (string-match-p "The daemon refused the input: .*did you mean send\\?"
                            (formd-tests-messages)))
    (formd-tests-type "7")
    (should (equal 7 (formd-tests-value "limit")))))

(ert-deftest formd-values-and-outputs-are-shown ()
  (formd-tests-in "invoice"
    (formd-tests-type "Kim")
    (formd-show-values)
    (formd-tests-await (get-buffer "*form values*"))
    (with-current-buffer "*form values*"
      (should (string-match-p "\"customer\": \"Kim\"" (buffer-string)))
      (should (string-match-p "\"count\": 0" (buffer-string))))
    (kill-buffer "*form values*")
    (let ((formd-show-outputs t))
      (formd-draw)
      (should (string-match-p "^total +0$" (formd-tests-screen))))))

(ert-deftest formd-a-point-in-time-is-in-the-users-time-zone ()
  (let ((process-environment (cons "TZ=Asia/Seoul" process-environment)))
    (set-time-zone-rule "Asia/Seoul")
    (unwind-protect
        (progn
          (should (equal "2026-11-28 05:00:00 KST"
                         (formd-text-of-result "2026-11-27T20:00:00Z")))
          (should (equal "at: 2026-03-01 00:00:00 KST"
                         (formd-text-of-result
                          (formd-object "at" "2026-03-01T00:30:00.5+09:30"))))
          (should (equal "2026-03-01" (formd-text-of-result "2026-03-01"))))
      (set-time-zone-rule nil))))

(ert-deftest formd-a-message-names-its-field ()
  (should (equal "Email: This is required." (formd-named "Email" "This is required.")))
  (should (equal "Email addresses have an at sign."
                 (formd-named "Email" "Email addresses have an at sign.")))
  (formd-tests-in (formd-tests-definition
                   "{'form':'x','schema':{'type':'object','properties':{'tags':{'type':'array',
'items':{'type':'string','minLength':2,'maxLength':9}}}},'fields':{'tags':{'label':'Tags'}}}")
    (formd-tests-type "RET")
    (formd-tests-await (equal "/tags/#1" (formd-draw-field-at (point))))
    (formd-tests-type "x TAB")
    (should (formd-tests-shows "! Tags 1: This must have at least 2 characters."))))

;;;; Daemons that come and go

(defvar formd-tests--daemons nil
  "The daemons that the running test has started.")

(defun formd-tests-start (socket forms &rest arguments)
  "Start a daemon at SOCKET with the folder FORMS, and wait until it listens.
ARGUMENTS are more arguments of \"formd serve\"."
  (let ((process (make-process :name "formd serve" :noquery t :connection-type 'pipe
                               :buffer (generate-new-buffer " *formd serve*")
                               :command `(,formd-tests-formd "serve" "--socket" ,socket
                                          "--forms" ,forms ,@arguments))))
    (push process formd-tests--daemons)
    (formd-tests-await (with-current-buffer (process-buffer process)
                         (string-search "listening" (buffer-string))))
    process))

(defmacro formd-tests-with-folder (&rest body)
  "Evaluate BODY in a fresh folder, with a form \"pair\" and no daemon yet.
`folder' and `socket' name them.  Daemons that BODY starts are ended."
  (declare (debug t))
  `(let* ((folder (file-name-as-directory (make-temp-file "/tmp/formd-emacs-" t)))
          (socket (concat folder "s.sock"))
          (process-environment (cons (concat "XDG_STATE_HOME=" folder) process-environment))
          (formd-socket socket)
          (formd-tests--daemons nil))
     (unwind-protect
         (progn
           (with-temp-file (concat folder "pair.form.json")
             (insert "{\"form\":\"pair\",\"schema\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{
\"name\":{\"type\":\"string\",\"minLength\":2},\"token\":{\"type\":\"string\",\"writeOnly\":true},
\"rows\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}}}},
\"actions\":{\"send\":{\"outcomes\":[{\"when\":\"values.token == 'secret7'\",\"success\":\"{'of': values.name}\"},
{\"failure\":\"'noToken'\"}]}}}"))
           ,@body)
       (dolist (daemon formd-tests--daemons)
         (delete-process daemon))
       (delete-directory folder t))))

(ert-deftest formd-a-daemon-that-dies-loses-nothing ()
  (formd-tests-with-folder
   (let ((daemon (formd-tests-start socket folder)))
     (formd-tests-in "pair"
       (formd-tests-type "K TAB RET secret7 RET")
       (formd-tests-type "C-c C-a")
       (formd-tests-await (equal "/rows/#1/text" (formd-draw-field-at (point))))
       (formd-tests-type "first")
       (formd-tests-type "C-c C-a")
       (formd-tests-await (equal "/rows/#2/text" (formd-draw-field-at (point))))
       (formd-tests-type "second M-<up>")
       (should (formd-tests-shows "This must have at least 2 characters."))
       (signal-process daemon 'KILL)
       (formd-tests-await (eq 'lost (formd-session-state formd-session)))
       (should (string-match-p "No daemon; typed values are kept" (formd-mode--header)))
       (should (formd-tests-shows "second"))
       ;; What is typed while nobody listens is kept, and so is point.
       (execute-kbd-macro (kbd "X"))
       (should (formd-tests-shows "secondX"))
       (should (string-match-p "typed values are kept"
                               (formd-tests-error (lambda () (formd-tap "send")))))
       (delete-file socket)
       (formd-tests-start socket folder)
       (formd-tests-await (eq 'open (formd-session-state formd-session)))
       (execute-kbd-macro (kbd "Y"))
       (formd-tests-settle)
       (should (equal "K" (formd-tests-value "name")))
       (should (equal "secondXY" (formd-tests-value "rows" 0 "text")))
       (should (equal "first" (formd-tests-value "rows" 1 "text")))
       ;; A message that showed shows again, since its field had been left.
       (should (formd-tests-shows "This must have at least 2 characters."))
       (formd-tests-go "name")
       (formd-tests-type "C-e im")
       (formd-tests-type "C-c C-c")
       (formd-tests-await (string-match-p "send: of: Kim"
                                           (formd-tests-messages)))))))

(ert-deftest formd-a-daemon-of-another-program-is-not-started-again ()
  (formd-tests-with-folder
   (let ((daemon (formd-tests-start socket folder))
         (formd-start-daemon t)
         (formd-connection--delays '(0.05)))
     (formd-tests-in "pair"
       (formd-tests-type "Kim")
       (signal-process daemon 'KILL)
       (formd-tests-await (eq 'lost (formd-session-state formd-session)))
       (let ((connection (formd-session-connection formd-session)))
         (formd-tests-await (<= 4 (formd-connection-attempts connection)))
         (should-not (formd-connection-starting connection)))
       (should-not (formd-tests-daemon-p socket))
       (should (string-match-p "Start it again with its options\\.  C-c C-o" (formd-mode--header)))
       (should (string-match-p "Emacs did not start the last one, so start it again"
                               (formd-tests-error #'formd-connection)))
       (formd-tests-start socket folder)
       (formd-tests-await (eq 'open (formd-session-state formd-session)))
       (should (equal "Kim" (formd-tests-value "name")))))))

(defun formd-tests-daemon-p (socket)
  "Return non-nil if a daemon listens at SOCKET."
  (ignore-errors
    (delete-process (make-network-process :name "probe" :family 'local :service socket))
    t))

(ert-deftest formd-a-daemon-that-crashed-before-is-not-replaced ()
  (formd-tests-with-folder
   (let ((daemon (formd-tests-start socket folder))
         (formd-start-daemon t))
     (signal-process daemon 'KILL)
     (formd-tests-await (not (process-live-p daemon)))
     (should (string-match-p "Emacs did not start the last one, so start it again with the options that it had"
                             (formd-tests-error (lambda () (formd-open "pair")))))
     (should-not (formd-tests-daemon-p socket)))))

(ert-deftest formd-a-kept-form-comes-back-with-its-session ()
  (formd-tests-with-folder
   (let* ((store (concat folder "store.db"))
          (daemon (formd-tests-start socket folder "--store" store))
          (formd-keep "1h"))
     (formd-tests-in "pair"
       (formd-tests-type "K TAB RET secret7 RET")
       (should (formd-tests-shows "! name: This must have at least 2 characters."))
       (let ((key (formd-session-key formd-session)))
         (should (string-match-p "\\`[0-9a-f]\\{32\\}\\'" key))
         (signal-process daemon 'KILL)
         (formd-tests-await (eq 'lost (formd-session-state formd-session)))
         (formd-tests-go "name")
         (execute-kbd-macro (kbd "C-e i"))
         (setq daemon (formd-tests-start socket folder "--store" store))
         (formd-tests-await (eq 'open (formd-session-state formd-session)))
         (should (equal key (formd-session-key formd-session))))
       (formd-tests-settle)
       ;; The daemon has what was typed while it was away, and the secret, which no store has.
       (should (equal "Ki" (formd-tests-value "name")))
       (formd-tests-type "C-c C-c")
       (formd-tests-await (string-match-p "send: of: Ki" (formd-tests-messages)))
       (signal-process daemon 'TERM)))))

(defun formd-tests-in-another-emacs (socket &rest programs)
  "Open a draft at SOCKET in another Emacs, and have that evaluate PROGRAMS."
  (apply #'call-process (expand-file-name invocation-name invocation-directory) nil nil nil
         "-Q" "--batch" "-L" (file-name-directory (locate-library "formd"))
         "-l" "formd"
         "--eval" (format "(setq formd-socket %S formd-start-daemon nil)" socket)
         "--eval" "(formd \"pair\" \"en\" \"1h\")"
         (mapcan (lambda (program) (list "--eval" program)) programs)))

(ert-deftest formd-a-crash-of-emacs-loses-no-draft ()
  (formd-tests-with-folder
   (formd-tests-start socket folder)
   ;; It is killed by a signal that it cannot handle.
   (formd-tests-in-another-emacs socket
     "(progn (formd-session-change formd-session \"name\" \"K\")
             (formd-session-change formd-session \"token\" \"secret7\")
             (formd-session-flush formd-session)
             (formd-connection-call (formd-session-connection formd-session)
                                    \"server/ping\" (formd-object))
             (signal-process (emacs-pid) 'KILL)
             (sit-for 30))")
   (let* ((drafts (formd-drafts-all socket))
          (key (caar drafts))
          (file (concat folder "formd/drafts/" key ".json"))
          (buffer nil))
     (should (= 1 (length drafts)))
     (should (= #o600 (file-modes file)))
     (should (= #o700 (file-modes (file-name-directory file))))
     (cl-letf (((symbol-function 'completing-read)
                (lambda (_prompt table &rest _) (car (all-completions "" table)))))
       (call-interactively #'formd-attach))
     (setq buffer (current-buffer))
     (should (string-match-p "^name \\* +K$" (formd-tests-screen)))
     ;; The killed Emacs has left its field, so the message is there.
     (formd-attach key)
     (should (eq buffer (current-buffer)))
     (formd-tests-go "name")
     (formd-tests-type "C-e i m")
     ;; The end of the buffer leaves the draft, with the secret.
     (let ((formd-confirm-kill t))
       (kill-buffer buffer))
     (formd-attach key)
     (should (equal "Kim" (formd-tests-value "name")))
     (let ((formd-tests--messages-begin (point-min)))
       (formd-tests-type "C-c C-c")
       (formd-tests-await formd-commands-is-sent))
     (kill-buffer)
     (should-not (file-exists-p file))
     (should (string-match-p "There is no draft here"
                             (formd-tests-error (lambda () (call-interactively #'formd-attach)))))
     (should (string-match-p "There is no such draft"
                             (formd-tests-error (lambda () (formd-attach key))))))))

(ert-deftest formd-leaving-emacs-ends-a-draft-that-was-sent-or-has-not-changed ()
  (formd-tests-with-folder
   (formd-tests-start socket folder)
   (let ((type "(progn (formd-session-change formd-session \"name\" \"Kim\")
                       (formd-session-change formd-session \"token\" \"secret7\"))")
         (send "(progn (formd-tap \"send\")
                       (while (not formd-commands-is-sent) (accept-process-output)))"))
     (formd-tests-in-another-emacs socket)
     (should-not (formd-drafts-all socket))
     (formd-tests-in-another-emacs socket type send)
     (should-not (formd-drafts-all socket))
     (formd-tests-in-another-emacs socket type)
     (should (= 1 (length (formd-drafts-all socket))))
     (formd-attach (caar (formd-drafts-all socket)))
     (should (equal "Kim" (formd-tests-value "name")))
     (kill-buffer))))

(ert-deftest formd-a-prefix-argument-asks-first-how-long-a-form-is-kept ()
  (let ((current-prefix-arg '(4))
        (answers '("soon" "en"))
        prompts)
    (cl-letf (((symbol-function 'formd-read-name) (lambda () "signup"))
              ((symbol-function 'read-string)
               (lambda (prompt &rest _)
                 (push prompt prompts)
                 (pop answers))))
      (should (string-match-p "/keep: expected a duration such as 30s"
                              (formd-tests-error (lambda () (call-interactively #'formd)))))
      (should (string-prefix-p "Keep as a draft" (car (last prompts))))
      (should (string-prefix-p "Language" (car prompts))))))

(defun formd-tests-die-unseen (connection)
  "Have the process of CONNECTION be dead, as if Emacs had not heard of it yet."
  (let* ((process (formd-connection-process connection))
         (sentinel (process-sentinel process)))
    (set-process-sentinel process #'ignore)
    (delete-process process)
    (set-process-sentinel process sentinel)))

(ert-deftest formd-what-is-typed-as-the-daemon-dies-is-kept ()
  (formd-tests-in "invoice"
    (formd-tests-type "K")
    (let* ((connection (formd-session-connection formd-session))
           (process (formd-connection-process connection)))
      ;; This is what Emacs signals when the other end has gone.
      (cl-letf (((symbol-function 'process-send-string)
                 (lambda (&rest _)
                   (error "Process formd no longer connected to pipe; closed it"))))
        (execute-kbd-macro (kbd "i TAB")))
      (formd-tests-die-unseen connection)
      (execute-kbd-macro (kbd "<backtab> C-e m"))
      ;; A hook that signals is taken away by Emacs.
      (should (memq #'formd-mode--after-command post-command-hook))
      (funcall (process-sentinel process) process "killed\n")
      (should (eq 'lost (formd-session-state formd-session)))
      (formd-tests-await (eq 'open (formd-session-state formd-session)))
      (should (equal "Kim" (formd-tests-value "customer"))))))

(ert-deftest formd-another-form-finds-out-that-the-daemon-died ()
  (formd-tests-in "invoice"
    (formd-tests-type "Kim")
    (formd-tests-die-unseen (formd-session-connection formd-session))
    (let ((other (formd-open "login")))
      (unwind-protect
          (progn (formd-tests-await (eq 'open (formd-session-state formd-session)))
                 (should (equal "Kim" (formd-tests-value "customer"))))
        (kill-buffer other)))))

(ert-deftest formd-a-form-that-is-gone-keeps-what-was-typed ()
  (formd-tests-with-folder
   (let ((daemon (formd-tests-start socket folder)))
     (formd-tests-in "pair"
       (formd-tests-type "Kim")
       (signal-process daemon 'TERM)
       (formd-tests-await (eq 'lost (formd-session-state formd-session)))
       (formd-tests-await (not (file-exists-p socket)))
       (rename-file (concat folder "pair.form.json") (concat folder "pair.kept"))
       (setq daemon (formd-tests-start socket folder))
       (formd-tests-await (eq 'failed (formd-session-state formd-session)))
       (should (formd-tests-shows "Kim"))
       (should (string-match-p "Not open; C-c C-o tries again" (formd-mode--header)))
       (rename-file (concat folder "pair.kept") (concat folder "pair.form.json"))
       (signal-process daemon 'HUP)
       (formd-tests-await (with-current-buffer (process-buffer daemon)
                            (string-match-p "\\bread\\b.*\\|reload" (buffer-string))))
       (formd-tests-await (progn (when (eq 'failed (formd-session-state formd-session))
                                   (formd-reconnect))
                                 (eq 'open (formd-session-state formd-session))))
       (should (equal "Kim" (formd-tests-value "name")))))))

(ert-deftest formd-a-form-that-is-another-one-gets-what-it-takes ()
  (formd-tests-with-folder
   (let ((daemon (formd-tests-start socket folder)))
     (formd-tests-in "pair"
       (formd-tests-type "Kim")
       (formd-tests-type "C-c C-a")
       (formd-tests-await (equal "/rows/#1/text" (formd-draw-field-at (point))))
       (formd-tests-type "first")
       (signal-process daemon 'KILL)
       (formd-tests-await (eq 'lost (formd-session-state formd-session)))
       (delete-file socket)
       (with-temp-file (concat folder "pair.form.json")
         (insert "{\"form\":\"pair\",\"title\":\"A new pair\",\"schema\":{\"type\":\"object\",\"properties\":{
\"name\":{\"type\":\"string\"}},\"additionalProperties\":false}}"))
       (formd-tests-start socket folder)
       (formd-tests-await (eq 'open (formd-session-state formd-session)))
       (should (equal "A new pair\n\nname   Kim\n" (formd-tests-screen)))
       (should (string-match-p "The daemon refused the input" (formd-tests-messages)))))))

(ert-deftest formd-a-daemon-is-started-where-none-runs ()
  (formd-tests-with-folder
   (let* ((process-environment (append (list (concat "XDG_STATE_HOME=" folder)
                                             (concat "XDG_CONFIG_HOME=" folder))
                                       process-environment))
          (formd-start-daemon t)
          (formd-start-arguments (list "--forms" folder))
          (pid nil))
     (unwind-protect
         (formd-tests-in "pair"
           (setq pid (formd-get (formd-connection-call
                                 (formd-session-connection formd-session) "server/info"
                                 (formd-object))
                                "pid"))
           (should (formd-tests-shows "pair"))
           ;; And again, when that one is killed.
           (formd-tests-type "Kim")
           (signal-process pid 'KILL)
           (formd-tests-await (eq 'lost (formd-session-state formd-session)))
           (formd-tests-await (eq 'open (formd-session-state formd-session)))
           (should (equal "Kim" (formd-tests-value "name"))))
       ;; Whichever runs now, also when what is above has failed.
       (let ((lock (concat socket ".lock")))
         (when (file-exists-p lock)
           (with-temp-buffer
             (insert-file-contents lock)
             (signal-process (string-to-number (buffer-string)) 'TERM))
           (formd-tests-await (not (file-exists-p socket)))))))))

(ert-deftest formd-a-killed-buffer-closes-its-session ()
  (formd-tests-in "invoice"
    (let ((connection (formd-session-connection formd-session))
          (buffer (formd-open "login")))
      (should (= 2 (hash-table-count (formd-connection-sessions connection))))
      (kill-buffer buffer)
      (should (= 1 (length (formd-list (formd-connection-call connection "session/list"
                                                              (formd-object))
                                       "sessions"))))))
  (should-not (alist-get (formd-socket-path) formd-connection--all nil nil #'equal)))

(ert-deftest formd-a-form-that-was-changed-is-not-killed-by-mistake ()
  (formd-tests-in "invoice"
    (let ((formd-confirm-kill t)
          (asked nil))
      (cl-letf (((symbol-function 'yes-or-no-p) (lambda (&rest _) (setq asked t) nil)))
        (should (formd-mode--may-kill-p))
        (formd-tests-type "Kim")
        (should-not (kill-buffer))
        (should asked)))))

;;;; The mode, and the language server

(ert-deftest formd-definitions-have-a-mode-and-a-way-to-their-form ()
  (formd-tests-with-file "{\"form\":\"tiny\",\"schema\":{\"type\":\"object\",\"properties\":{}}}"
    (let ((buffer (find-file-noselect file)))
      (unwind-protect
          (with-current-buffer buffer
            (should (eq 'formd-definition-mode major-mode))
            (should (eq #'formd-definition-open (key-binding (kbd "C-c C-c")))))
        (kill-buffer buffer)))))

(ert-deftest formd-eglot-finds-the-language-server ()
  (defvar eglot-server-programs)
  (let ((eglot-server-programs '((js-mode . ("other-server"))))
        (before formd-eglot-modes))
    (unwind-protect
        (progn
          ;; As it happens when eglot is loaded.
          (formd-definition--set-eglot-modes 'formd-eglot-modes formd-eglot-modes)
          (should (equal '((formd-definition-mode) . formd-definition-server)
                         (car eglot-server-programs)))
          (should (equal (list formd-formctl-program "lsp") (formd-definition-server)))
          (customize-set-variable 'formd-eglot-modes '(formd-definition-mode yaml-mode))
          (should (equal '((formd-definition-mode yaml-mode) (js-mode))
                         (mapcar (lambda (entry) (ensure-list (car entry)))
                                 eglot-server-programs))))
      (set-default 'formd-eglot-modes before))))

(ert-deftest formd-a-name-with-dots-is-completed-as-a-whole ()
  (with-temp-buffer
    (formd-definition-mode)
    (let ((names '("values.address" "values.address.city")))
      (cl-letf (((symbol-function 'eglot-managed-p) (lambda () t))
                ;; As that of Emacs 28 and 29 does.
                ((symbol-function 'eglot-completion-at-point)
                 (lambda ()
                   (let ((bounds (bounds-of-thing-at-point 'symbol)))
                     (list (or (car bounds) (point)) (or (cdr bounds) (point)) names)))))
        (insert "{\"x\": \"values.")
        (save-excursion (insert "\"}"))
        (completion-at-point)
        (should (equal "{\"x\": \"values.address\"}" (buffer-string)))
        ;; A function behind a dot is eglot's.
        (setq names '("size"))
        (insert ".")
        (should-not (formd-definition-complete))
        (should (equal (list (point) (point) names) (eglot-completion-at-point)))))))

(ert-deftest formd-the-language-server-serves-a-definition ()
  (let* ((told nil)
         (server (jsonrpc-process-connection
                  :name "formctl lsp"
                  :process (make-process :name "formctl lsp" :noquery t :connection-type 'pipe
                                         :coding 'binary :command (formd-definition-server)
                                         :stderr (get-buffer-create "*formctl lsp stderr*"))
                  :notification-dispatcher (lambda (_server method params)
                                             (push (cons method params) told)))))
    (unwind-protect
        (progn
          (jsonrpc-request server :initialize (list :processId nil :rootUri nil
                                                    :capabilities (make-hash-table))
                           :timeout formd-tests-patience)
          (jsonrpc-notify server :initialized (make-hash-table))
          (jsonrpc-notify server :textDocument/didOpen
                          (list :textDocument
                                (list :uri "file:///tmp/tiny.form.json" :languageId "json"
                                      :version 1 :text "{\"form\": \"tiny\", \"filds\": {}}")))
          (formd-tests-await (string-search "did you mean \\\"fields\\\""
                                            (format "%S" (alist-get 'textDocument/publishDiagnostics
                                                                    told)))))
      (set-process-sentinel (jsonrpc--process server) #'ignore)
      (delete-process (jsonrpc--process server)))))

(ert-deftest formd-the-help-of-the-mode-has-its-keys ()
  (formd-tests-in "invoice"
    (let ((help (substitute-command-keys (documentation 'formd-mode))))
      (should (string-match-p "TAB and S-<tab> go" help))
      (should (string-match-p "C-c C-a[ \t\n]+formd-add-row" help)))
    (should (equal '("Customer" "Items" "Items") (mapcar #'car (formd-draw-index))))))

(provide 'formd-tests)
;;; formd-tests.el ends here
